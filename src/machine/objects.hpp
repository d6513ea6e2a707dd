// Objects: what is known of the shared objects of one execution: bounds, life, places. Not their contents.
//
// The machine looks every shared access up here. Whoever drives it keeps the table: adds what an Alloc action made, ends what a Free
// action ended. (A search under a weak model, where "freed before" is a question about the graph, simply does not end them.)
#pragma once

#include "machine/action.hpp"
#include "program/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle {

struct Object {
    Address base = 0;
    std::uint64_t size = 0;
    ObjectKind kind = ObjectKind::Heap;
    bool alive = true;
    PlaceId allocated;
    PlaceId freed;
    const std::string* name = nullptr; ///< of the variable, if it is one; the Program's
    LayoutId layout{};                 ///< of the variable
    std::uint32_t handle = 0;          ///< an index for contents; those of ended objects are used again
};

/// The first address behind the regions of an object (span_of, program/address.hpp): they start at a multiple of kRegionSize.
[[nodiscard]] inline Address end_of_regions(const Object& o) {
    return (o.base + o.size + kGuard + kRegionSize - 1) & ~(kRegionSize - 1);
}

/// An access or a free that is wrong.
struct Fault {
    TrapKind kind;
    std::string message;
    std::optional<ObjectNote> object;
};

class Objects {
  public:
    explicit Objects(const Program& program);

    /// The object that owns the regions around `address` (Global, Heap, Stack), alive or not; null when there never was one, or it was a
    /// stack object that has ended.
    [[nodiscard]] const Object* find(Address address) const;
    /// `alloc` is an Alloc action. Returns the new object.
    const Object& add(const Action& alloc);
    /// Ends the object at `address`, which `release_fault` found good.
    void end(Address address, PlaceId place);
    /// As if the object at `address` had never been: undoes `add`.
    void forget(Address address);

    /// The object of an access of `size` bytes at `address` in shared memory if that access is right: inside, alive, aligned when atomic.
    /// Else null, and access_fault says why.
    [[nodiscard]] const Object* accessible(Address address, std::uint64_t size, bool atomic) const {
        const Object* o = find(address);
        const bool good = o && o->alive && address >= o->base && address - o->base <= o->size &&
                          o->size - (address - o->base) >= size && (!atomic || address % size == 0);
        return good ? o : nullptr;
    }
    /// What is wrong with an access, if anything. Address kinds that are not shared memory are answered too (null, functions, constants,
    /// wild numbers).
    [[nodiscard]] std::optional<Fault> access_fault(Address address, std::uint64_t size, bool write, bool atomic) const;
    /// Is free(address) right? `address` is not null.
    [[nodiscard]] std::optional<Fault> release_fault(Address address) const;

    [[nodiscard]] std::uint32_t handles() const { return handles_; }
    [[nodiscard]] const Program& program() const { return *program_; }
    /// Every object there is, ended ones included.
    template <class F> void for_each(F&& visit) const {
        for (const Object& o : globals_) {
            visit(o);
        }
        for (const auto& per_thread : made_) {
            for (const Object& o : per_thread) {
                visit(o);
            }
        }
    }

  private:
    [[nodiscard]] static ObjectNote note(const Object& object, Address address);
    std::uint32_t new_handle();
    std::vector<Object>& made_by(Address address);

    const Program* program_;
    std::vector<Object> globals_;                 ///< the mutable globals, by address
    std::vector<std::uint32_t> global_of_region_; ///< region -> index into globals_; guards belong to the object before them
    std::vector<std::vector<Object>> made_;       ///< [2 * thread + (kind == Stack)], each by address
    std::uint32_t handles_ = 0;                   ///< all handles are below
    std::vector<std::uint32_t> free_handles_;
};

/// What reports call the object that owns `address`: "q", "heap object (prog.c:7)".
std::string name_of(const Objects& objects, Address address);
/// What reports call the `size` bytes at `address`: "q", "q.slots[2].value", "heap object (prog.c:7)+16".
std::string name_of(const Objects& objects, Address address, std::uint64_t size);
/// What reports call a pointer to `address`: "&q", "&q.slots[2]", "heap object (prog.c:7)", "&worker"; "" when it points to nothing that has a
/// name.
std::string pointer_name(const Objects& objects, Address address);

/// What is reported of an object that nobody freed and nobody can reach.
Trap leak_of(const Object& object);

} // namespace heddle
