// ObjectTables: the objects of a state that are not global variables, as a part of it; and what was lost on the way.
#pragma once

#include "machine/objects.hpp"
#include "search/stateful/local_images.hpp"

#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace heddle::stateful {

/// A heap object that was forgotten because nothing pointed to it any more: a leak, should the program end.
struct Lost {
    PlaceId allocated{};
    ThreadId thread{};
    std::uint64_t size = 0;
};

struct ObjectTable {
    explicit ObjectTable(const Program& program) : objects(program) {}
    Objects objects;          ///< the globals too; handles of made objects follow those of the globals, in the order of `made`
    std::vector<Object> made; ///< by address; heap objects that have ended are kept while something points to them
    std::vector<Lost> lost;   ///< by place, one a place
};

/// Of one worker: the tables it has met.
class ObjectTables {
  public:
    ObjectTables(const Program& program, LocalImages& interner) : program_(program), interner_(interner) {}

    /// `made` in the order of addresses; handles do not matter.
    LocalImages::Id intern(std::span<const Object> made, std::span<const Lost> lost);
    const ObjectTable& operator[](LocalImages::Id id) { return last_ && id == last_id_ ? *last_ : find(id); }
    /// Forgets what it has met. References become invalid.
    void clear() {
        known_.clear();
        last_ = nullptr;
    }

  private:
    const ObjectTable& find(LocalImages::Id id);

    const Program& program_;
    LocalImages& interner_;
    const ObjectTable* last_ = nullptr; ///< asked for last: mostly the next too
    LocalImages::Id last_id_ = 0;
    std::unordered_map<LocalImages::Id, std::unique_ptr<ObjectTable>> known_;
};

} // namespace heddle::stateful
