// PrivateMemory: what one thread has that no other thread can reach, beyond the locals in its frames: thread-local variables, variable-length
// arrays, large locals. Also the list of its stack objects, private or shared, that returns must end.
#pragma once

#include "machine/block.hpp"
#include "machine/objects.hpp"
#include "program/address.hpp"
#include "support/ref.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

struct PrivateBlock {
    Address base = 0;
    std::uint64_t size = 0;
    ObjectKind kind = ObjectKind::Stack;
    Ref<Block> data;
    PlaceId allocated;
    const std::string* name = nullptr; ///< of the variable, if it has one; the Program's
};

struct StackObject {
    Address address; ///< of kind Stack (shared) or Block
    std::uint64_t size;
};

struct PrivateMemory : RefCounted {
    std::vector<PrivateBlock> blocks;   ///< by base
    std::vector<StackObject> stack;     ///< made by Op::Alloca, oldest first
    std::vector<Address> thread_locals; ///< by index into Program::thread_locals; 0: not used yet
    std::uint32_t next_region = 0;      ///< of AddressKind::Block

    static void destroy(PrivateMemory* p) { delete p; }

    /// The block that owns the regions around `address`, null when there is none.
    [[nodiscard]] PrivateBlock* find(Address address);
};

} // namespace heddle
