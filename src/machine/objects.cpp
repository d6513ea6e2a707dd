#include "machine/objects.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {
namespace {

std::size_t table_of(Address address) {
    return (std::size_t{thread_of(address).index} * 2) + (kind_of(address) == AddressKind::Stack ? 1 : 0);
}

std::string name_of_object(const Program& program, const Object& o) {
    if (o.name && !o.name->empty()) {
        return *o.name;
    }
    const std::string line = line_text(program, o.allocated);
    return (o.kind == ObjectKind::Stack ? "local variable" : "heap object") + (line.empty() ? "" : " (" + line + ")");
}

} // namespace

Objects::Objects(const Program& program) : program_(&program) {
    for (std::size_t i = 0; i < program.first_constant_global; ++i) {
        const Global& g = program.globals[i];
        globals_.push_back({.base = g.address,
                            .size = g.size,
                            .kind = ObjectKind::Global,
                            .alive = true,
                            .allocated = g.place,
                            .freed = {},
                            .name = &g.name,
                            .layout = g.layout,
                            .handle = handles_++});
        const Span span = span_of(g.size, g.align);
        const std::size_t first = static_region_of(g.address - span.offset);
        global_of_region_.resize(first, static_cast<std::uint32_t>(i));
        global_of_region_.resize(first + span.regions, static_cast<std::uint32_t>(i));
    }
}

const Object* Objects::find(Address address) const {
    switch (kind_of(address)) {
    case AddressKind::Global: {
        const std::uint32_t region = static_region_of(address);
        return region < global_of_region_.size() ? &globals_[global_of_region_[region]] : nullptr;
    }
    case AddressKind::Heap:
    case AddressKind::Stack: {
        const std::size_t table = table_of(address);
        if (table >= made_.size()) {
            return nullptr;
        }
        const auto& objects = made_[table];
        // Each object starts `offset` bytes into its first region, so compare regions, not bases: a pointer just before the base is its own.
        auto after = std::ranges::upper_bound(objects, address >> kRegionBits, {},
                                              [](const Object& o) { return (o.base - kGuard) >> kRegionBits; });
        if (after == objects.begin()) {
            return nullptr;
        }
        // The regions behind its last may be those of a local variable that has ended, and is no longer here.
        const Object& o = *std::prev(after);
        return address < end_of_regions(o) ? &o : nullptr;
    }
    default:
        return nullptr;
    }
}

std::vector<Object>& Objects::made_by(Address address) {
    const std::size_t table = table_of(address);
    if (table >= made_.size()) {
        made_.resize(table + 1);
    }
    return made_[table];
}

std::uint32_t Objects::new_handle() {
    if (free_handles_.empty()) {
        return handles_++;
    }
    const std::uint32_t handle = free_handles_.back();
    free_handles_.pop_back();
    return handle;
}

const Object& Objects::add(const Action& alloc) {
    auto& objects = made_by(alloc.address);
    const Object fresh{.base = alloc.address,
                       .size = alloc.count,
                       .kind = alloc.object,
                       .alive = true,
                       .allocated = alloc.place,
                       .freed = {},
                       .name = alloc.name,
                       .layout = alloc.layout,
                       .handle = new_handle()};
    // Region numbers grow, so this is a push_back; only the stack's numbers start again when they run out.
    const auto at = std::ranges::upper_bound(objects, fresh.base, {}, &Object::base);
    return *objects.insert(at, fresh);
}

void Objects::end(Address address, PlaceId place) {
    auto& objects = made_by(address);
    const auto at = std::ranges::lower_bound(objects, address, {}, &Object::base);
    HEDDLE_CHECK(at != objects.end() && at->base == address && at->alive, "ending an object that is not alive");
    free_handles_.push_back(at->handle);
    if (at->kind == ObjectKind::Stack) {
        objects.erase(at); // the address says that it was a stack variable; that is all a report needs
    } else {
        at->alive = false;
        at->freed = place;
    }
}

void Objects::forget(Address address) {
    auto& objects = made_by(address);
    const auto at = std::ranges::lower_bound(objects, address, {}, &Object::base);
    HEDDLE_CHECK(at != objects.end() && at->base == address && at->alive, "forgetting an object that is not alive");
    free_handles_.push_back(at->handle);
    objects.erase(at);
}

ObjectNote Objects::note(const Object& object, Address address) {
    return {.name = object.name ? *object.name : std::string(),
            .kind = object.kind,
            .size = object.size,
            .offset = static_cast<std::int64_t>(address - object.base),
            .allocated = object.allocated,
            .freed = object.freed};
}

std::optional<Fault> Objects::access_fault(Address address, std::uint64_t size, bool write, bool atomic) const {
    const char* what = write ? "write" : "read";
    const auto bytes = fmt::format("{} of {} byte{}", what, size, size == 1 ? "" : "s");
    const AddressKind kind = kind_of(address);
    if (kind == AddressKind::Nothing) {
        if (address < kRegionSize) {
            return Fault{
                TrapKind::NullDereference,
                fmt::format("{} through a null pointer{}", bytes, address == 0 ? "" : fmt::format(" (plus {})", address)),
                {}};
        }
        if ((address >> 47) == 1) {
            return Fault{
                TrapKind::OutOfBounds, fmt::format("{} through a pointer that was moved far out of its object", bytes), {}};
        }
        return Fault{TrapKind::WildPointer, fmt::format("{} through a pointer to nothing ({:#x})", bytes, address), {}};
    }
    if (kind == AddressKind::Function) {
        return Fault{TrapKind::WildPointer, fmt::format("{} through a pointer to a function", bytes), {}};
    }
    if (kind == AddressKind::Constant) {
        const Global* g = program_->global_at(address);
        if (!g) {
            return Fault{TrapKind::WildPointer, fmt::format("{} through a pointer to nothing ({:#x})", bytes, address), {}};
        }
        const ObjectNote n{.name = g->name,
                           .kind = ObjectKind::Global,
                           .size = g->size,
                           .offset = static_cast<std::int64_t>(address - g->address),
                           .allocated = g->place,
                           .freed = {}};
        if (address < g->address || address - g->address > g->size || g->size - (address - g->address) < size) {
            return Fault{TrapKind::OutOfBounds, fmt::format("{} outside the bounds of a constant", bytes), n};
        }
        return write ? std::optional(Fault{TrapKind::WriteToConstant, fmt::format("{} to constant memory", bytes), n})
                     : std::nullopt;
    }
    const Object* o = find(address);
    if (!o) {
        if (kind == AddressKind::Stack) {
            return Fault{TrapKind::UseAfterReturn, fmt::format("{} of a local variable whose function has returned", bytes), {}};
        }
        return Fault{TrapKind::WildPointer, fmt::format("{} through a pointer to nothing ({:#x})", bytes, address), {}};
    }
    if (!o->alive) {
        return Fault{TrapKind::UseAfterFree, fmt::format("{} of memory that was freed", bytes), note(*o, address)};
    }
    if (address < o->base || address - o->base > o->size || o->size - (address - o->base) < size) {
        return Fault{TrapKind::OutOfBounds, fmt::format("{} outside the bounds of its object", bytes), note(*o, address)};
    }
    if (atomic && address % size != 0) {
        return Fault{TrapKind::Misaligned, fmt::format("atomic {} at an address that is not a multiple of {}", bytes, size),
                     note(*o, address)};
    }
    return std::nullopt;
}

std::optional<Fault> Objects::release_fault(Address address) const {
    const Object* o = kind_of(address) == AddressKind::Heap ? find(address) : nullptr;
    if (!o || o->kind != ObjectKind::Heap) {
        Fault fault{TrapKind::InvalidFree, "free of a pointer that malloc did not return", {}};
        if (const Object* other = find(address)) {
            fault.object = note(*other, address);
        }
        return fault;
    }
    if (!o->alive) {
        return Fault{TrapKind::DoubleFree, "free of memory that was freed before", note(*o, address)};
    }
    if (o->base != address) {
        return Fault{TrapKind::InvalidFree, "free of a pointer into the middle of an object", note(*o, address)};
    }
    return std::nullopt;
}

std::string name_of(const Objects& objects, Address address) {
    const Object* o = objects.find(address);
    return o ? name_of_object(objects.program(), *o) : fmt::format("{:#x}", address);
}

std::string name_of(const Objects& objects, Address address, std::uint64_t size) {
    const Object* o = objects.find(address);
    if (!o) {
        return fmt::format("{:#x}", address);
    }
    return name_of_object(objects.program(), *o) + objects.program().layouts.part(o->layout, address - o->base, size);
}

std::string pointer_name(const Objects& objects, Address address) {
    const Program& program = objects.program();
    if (kind_of(address) == AddressKind::Function) {
        const std::uint32_t function = static_region_of(address);
        const bool is_start =
            function < program.functions.size() && address == make_static_address(AddressKind::Function, function, 0);
        return is_start ? "&" + program.functions[function].name : "";
    }
    if (kind_of(address) == AddressKind::Constant) {
        const Global* g = program.global_at(address);
        // String literals and the like have names of the compiler's.
        const bool named = g && !g->name.starts_with('.') && address >= g->address && address - g->address <= g->size;
        return named ? "&" + g->name + program.layouts.start(g->layout, address - g->address) : "";
    }
    const Object* o = objects.find(address);
    if (!o || address < o->base || address - o->base > o->size) {
        return "";
    }
    const bool variable = o->name && !o->name->empty();
    return (variable ? "&" : "") + name_of_object(program, *o) + program.layouts.start(o->layout, address - o->base);
}

Trap leak_of(const Object& o) {
    return {.kind = TrapKind::Leak,
            .message = fmt::format("{} byte{} never freed, and nothing points there any more", o.size, o.size == 1 ? "" : "s"),
            .stack = {o.allocated},
            .object = {}};
}

} // namespace heddle
