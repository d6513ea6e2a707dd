// WorldPool: worlds to work on, used again and again, so that copying one allocates nothing most of the time.
#pragma once

#include "search/stateful/state.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace heddle::stateful {

/// Of one worker. Outlives what it lends. What was lent last comes back first.
class WorldPool {
  public:
    class Lent {
      public:
        Lent(WorldPool& pool, World& world) : pool_(pool), world_(world) {}
        ~Lent() { --pool_.lent_; }
        Lent(const Lent&) = delete;
        Lent& operator=(const Lent&) = delete;
        World& operator*() { return world_; }

      private:
        WorldPool& pool_;
        World& world_;
    };

    /// A world equal to `from`, until the result goes.
    Lent copy(const World& from) {
        if (lent_ == worlds_.size()) {
            worlds_.push_back(std::make_unique<World>());
        }
        World& world = *worlds_[lent_++];
        world.copy(from);
        return {*this, world};
    }

  private:
    std::vector<std::unique_ptr<World>> worlds_;
    std::size_t lent_ = 0; ///< so many, the first, are in use
};

} // namespace heddle::stateful
