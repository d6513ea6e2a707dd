// WorldPool: worlds to work on, used again and again, so that copying one allocates nothing most of the time.
#pragma once

#include "search/stateful/state.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace heddle::stateful {

/// Of one worker. Outlives what it lends.
class WorldPool {
  public:
    class Lent {
      public:
        Lent(WorldPool& pool, std::unique_ptr<World> world) : pool_(pool), world_(std::move(world)) {}
        ~Lent() { pool_.free_.push_back(std::move(world_)); }
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        World& operator*() { return *world_; }

      private:
        WorldPool& pool_;
        std::unique_ptr<World> world_;
    };

    /// A world equal to `from`, until the result goes.
    Lent copy(const World& from) {
        std::unique_ptr<World> world;
        if (free_.empty()) {
            world = std::make_unique<World>(from);
        } else {
            world = std::move(free_.back());
            free_.pop_back();
            world->copy(from);
        }
        return {*this, std::move(world)};
    }

  private:
    std::vector<std::unique_ptr<World>> free_;
};

} // namespace heddle::stateful
