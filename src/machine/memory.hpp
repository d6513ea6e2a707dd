// Memory: shared memory under sequential consistency: the objects and their bytes. A value: copying it shares the blocks.
//
// Used where one store is right for everybody: a single run, the part of a program before its first thread is spawned, explicit states.
#pragma once

#include "machine/block.hpp"
#include "machine/objects.hpp"

#include <vector>

namespace heddle {

class Memory {
  public:
    explicit Memory(const Program& program);

    [[nodiscard]] Objects& objects() { return objects_; }
    [[nodiscard]] const Objects& objects() const { return objects_; }

    // The access was found good by objects().
    [[nodiscard]] Value load(const Object& o, Address address, unsigned size) const {
        return contents_[o.handle]->load(address - o.base, size);
    }
    void store(const Object& o, Address address, unsigned size, const Value& v) {
        owned(contents_[o.handle]).store(address - o.base, size, v);
    }
    [[nodiscard]] Value load(Address address, unsigned size) const;
    void store(Address address, unsigned size, const Value& v);
    [[nodiscard]] Block& contents(const Object& o) { return owned(contents_[o.handle]); }
    [[nodiscard]] const Block& contents(const Object& o) const { return *contents_[o.handle]; }

    /// Carries out a Load, Store, Rmw, Fence, Alloc, Free action, or a Lock or Unlock of a lock word, at once. The outcome to resume the
    /// thread with; nothing when it has to wait.
    [[nodiscard]] std::optional<Value> perform(const Action& action);

    /// Undoes an Alloc of the object at `address`.
    void forget(Address address);

    /// Heap objects that are alive but that nothing reaches any more from the globals, the given roots and each other. In order of address.
    [[nodiscard]] std::vector<Object> leaks(const std::vector<const Block*>& roots) const;

  private:
    Objects objects_;
    std::vector<Ref<Block>> contents_; ///< by Object::handle; null once freed
};

} // namespace heddle
