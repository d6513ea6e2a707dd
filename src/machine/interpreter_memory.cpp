// Finding memory from an address; loads, stores, updates, fences; pointer arithmetic.
#include "machine/interpreter.hpp"

#include "support/check.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

using u64 = std::uint64_t;

bool inside(Address address, u64 size, Address base, u64 object_size) {
    return address >= base && address - base <= object_size && object_size - (address - base) >= size;
}

std::string access_words(u64 size, bool write) {
    return fmt::format("{} of {} byte{}", write ? "write" : "read", size, size == 1 ? "" : "s");
}

constexpr const char* kOutside = "outside the bounds of its object";

} // namespace

// --- reaching memory --------------------------------------------------------------------------------------------------------------------

Interpreter::Reach Interpreter::fault(Fault what) {
    fault_ = std::make_unique<Fault>(std::move(what));
    return Reach::Fault;
}

Interpreter::Reach Interpreter::reach(Address address, u64 size, bool write, bool atomic, View& view) {
    switch (kind_of(address)) {
    case AddressKind::Local:
    case AddressKind::Block:
        if (thread_of(address) != thread_.id) {
            // The escape analysis proved that this cannot be, so the pointer came by a way that it does not see (an integer, asm).
            return fault({TrapKind::Unsupported,
                          access_words(size, write) + " of another thread's private variable, through a pointer "
                                                      "that was hidden in an integer",
                          {}});
        }
        return kind_of(address) == AddressKind::Local ? reach_local(address, size, write, view)
                                                      : reach_block(address, size, write, view);
    case AddressKind::Constant:
        if (const Global* g = program_.global_at(address); g && !write && inside(address, size, g->address, g->size)) {
            HEDDLE_CHECK(g->init.size() == g->size, "a constant without bytes");
            // Views for reading are never written through.
            view = {const_cast<std::uint8_t*>(g->init.data()) + (address - g->address), nullptr, nullptr};
            return Reach::Here;
        }
        break;
    default:
        return reach_shared(address, size, write, atomic, view);
    }
    return fault(*objects_->access_fault(address, size, write, atomic));
}

Frame* Interpreter::frame_of_region(std::uint32_t region, bool write) {
    Ref<Frame>* at = &thread_.top;
    // Callers have smaller regions. To write below the top, every frame on the way must be this thread's own, since it refers to the next.
    while (*at) {
        if (write && (*at)->shared()) {
            *at = Frame::copy(**at, (*at)->shadow);
        }
        Frame& f = **at;
        if (region >= f.region_base) {
            return region - f.region_base < f.function->local_regions ? &f : nullptr;
        }
        at = &f.parent;
    }
    return nullptr;
}

Interpreter::Reach Interpreter::reach_local(Address address, u64 size, bool write, View& view) {
    Frame* f = frame_of_region(region_of(address), write);
    if (!f) {
        return fault(
            {TrapKind::UseAfterReturn, access_words(size, write) + " of a local variable whose function has returned", {}});
    }
    const auto& locals = f->function->locals;
    const std::uint32_t region = region_of(address) - f->region_base;
    const auto after = std::ranges::upper_bound(locals, region, {}, &Local::region);
    const Local& local = *std::prev(after);
    const Address base =
        make_address(AddressKind::Local, thread_.id, f->region_base + local.region, span_of(local.size, local.align).offset);
    if (!inside(address, size, base, local.size)) {
        return fault({TrapKind::OutOfBounds, fmt::format("{} {}", access_words(size, write), kOutside),
                      ObjectNote{.name = local.name,
                                 .kind = ObjectKind::Stack,
                                 .size = local.size,
                                 .offset = static_cast<std::int64_t>(address - base),
                                 .allocated = f->function->place,
                                 .freed = {}}});
    }
    const std::size_t at = local.offset + (address - base);
    view = {f->local_bytes() + at, f->local_undef() + at, f->shadow == Shadow::UndefAndDeps ? f->local_deps() + at : nullptr};
    return Reach::Here;
}

ObjectNote Interpreter::note_of(const PrivateBlock& block, Address address) {
    return {.name = block.name ? *block.name : std::string(),
            .kind = block.kind,
            .size = block.size,
            .offset = static_cast<std::int64_t>(address - block.base),
            .allocated = block.allocated,
            .freed = {}};
}

Interpreter::Reach Interpreter::reach_block(Address address, u64 size, bool write, View& view) {
    PrivateBlock* block = thread_.memory->find(address);
    if (!block) {
        return fault(
            {TrapKind::UseAfterReturn, access_words(size, write) + " of a local variable whose function has returned", {}});
    }
    if (!inside(address, size, block->base, block->size)) {
        return fault(
            {TrapKind::OutOfBounds, fmt::format("{} {}", access_words(size, write), kOutside), note_of(*block, address)});
    }
    const bool with_deps = machine_.options().dependencies;
    const u64 at = address - block->base;
    if (write) {
        block = own_memory().find(address);
        Block& data = owned(block->data);
        view = {data.bytes() + at, data.undef_for_writing() + at, with_deps ? data.deps().data() + at : nullptr};
    } else {
        Block& data = *block->data;
        const bool has_deps = with_deps && !data.deps().empty();
        view = {data.bytes() + at, data.undef() ? const_cast<std::uint8_t*>(data.undef()) + at : nullptr,
                has_deps ? data.deps().data() + at : nullptr};
    }
    return Reach::Here;
}

Interpreter::Reach Interpreter::reach_shared(Address address, u64 size, bool write, bool atomic, View& view) {
    const Object* o = objects_->accessible(address, size, atomic);
    if (!o) {
        return fault(*objects_->access_fault(address, size, write, atomic));
    }
    if (!direct_) {
        return Reach::Elsewhere;
    }
    const u64 at = address - o->base;
    if (write) {
        Block& data = direct_->contents(*o);
        view = {data.bytes() + at, data.undef_for_writing() + at, nullptr};
    } else {
        const Block& data = std::as_const(*direct_).contents(*o);
        view = {const_cast<std::uint8_t*>(data.bytes()) + at,
                data.undef() ? const_cast<std::uint8_t*>(data.undef()) + at : nullptr, nullptr};
    }
    return Reach::Here;
}

PrivateMemory& Interpreter::own_memory() {
    if (thread_.memory->shared()) {
        thread_.memory = Ref<PrivateMemory>::adopt(new PrivateMemory(*thread_.memory));
    }
    return *thread_.memory;
}

// --- pointer arithmetic -------------------------------------------------------------------------------------------------------------------

bool Interpreter::stays_near(Address from, Address to) {
    Address base = 0;
    u64 size = 0;
    switch (kind_of(from)) {
    case AddressKind::Constant:
        if (const Global* g = program_.global_at(from)) {
            base = g->address;
            size = g->size;
        }
        break;
    case AddressKind::Local:
        if (const Frame* f = frame_of_region(region_of(from), false)) {
            const auto after =
                std::ranges::upper_bound(f->function->locals, region_of(from) - f->region_base, {}, &Local::region);
            const Local& local = *std::prev(after);
            base = make_address(AddressKind::Local, thread_.id, f->region_base + local.region,
                                span_of(local.size, local.align).offset);
            size = local.size;
        }
        break;
    case AddressKind::Block:
        if (const PrivateBlock* block = thread_.memory->find(from)) {
            base = block->base;
            size = block->size;
        }
        break;
    default:
        if (const Object* o = objects_->find(from)) {
            base = o->base;
            size = o->size;
        }
    }
    return base == 0 || (to >= base - kGuard && to <= base + size + kGuard);
}

/// A pointer that leaves its object by more than a guard must not become a pointer to another object. Nor is it an error yet: optimised code
/// computes addresses that it then does not use. So it is marked, and any access through it is out of bounds.
Address Interpreter::checked_pointer(Address from, Address to) {
    if (kind_of(from) == AddressKind::Nothing || stays_near(from, to)) {
        return to;
    }
    return without_tag(to) | kStrayPointer;
}

bool Interpreter::undefined_address(Slot address) {
    if (undef(address) == 0) {
        return false;
    }
    trap_undefined("an address");
    return true;
}

// --- accesses -----------------------------------------------------------------------------------------------------------------------------

/// The common case, looked up once: an access to shared memory that is right. Null for private memory and for what is wrong.
const Object* Interpreter::shared_object(Address address, unsigned size, Order order) const {
    return is_shared(kind_of(address)) ? objects_->accessible(address, size, order != Order::NonAtomic) : nullptr;
}

Action& Interpreter::act_on(ActionKind kind, const Instr& i, Address address, unsigned size) {
    Action& a = act(kind);
    a.order = static_cast<Order>(i.d() & 0xff);
    a.is_volatile = (i.d() & kVolatile) != 0;
    a.exclusive = (i.d() & kExclusive) != 0;
    a.no_return = (i.d() & kNoReturn) != 0;
    a.address = address;
    a.size = static_cast<std::uint8_t>(size);
    a.deps.address = deps(i.a);
    return a;
}

Interpreter::Next Interpreter::load(const Instr& i) {
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    const Address address = slot(i.a);
    const unsigned size = i.c();
    const auto order = static_cast<Order>(i.d() & 0xff);
    if (const Object* o = shared_object(address, size, order)) {
        if (!direct_) {
            act_on(ActionKind::Load, i, address, size);
            return Next::Stop;
        }
        set_value(i.dst, direct_->load(*o, address, size), i.e(), 0);
        advance();
        return Next::Go;
    }
    View view;
    if (reach(address, size, false, order != Order::NonAtomic, view) == Reach::Fault) {
        return trap_fault();
    }
    DepSet d = deps(i.a); // an address dependency of a private access is a data dependency of what it yields
    note_address(i);
    const Value v = load_view(view, size, d);
    set_value(i.dst, v, i.e(), d);
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::store(const Instr& i) {
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    const Address address = slot(i.a);
    const unsigned size = i.c();
    const auto order = static_cast<Order>(i.d() & 0xff);
    const Value v = value_of(i.b, size);
    if (const Object* o = shared_object(address, size, order)) {
        if (!direct_) {
            Action& a = act_on(ActionKind::Store, i, address, size);
            a.value = v;
            a.deps.data = deps_of(i.b, size);
            return Next::Stop;
        }
        direct_->store(*o, address, size, v);
        advance();
        return Next::Go;
    }
    View view;
    if (reach(address, size, true, order != Order::NonAtomic, view) == Reach::Fault) {
        return trap_fault();
    }
    note_address(i); // of the bytes that it does not touch, but might have
    store_view(view, size, v, machine_.deps().unite(deps_of(i.b, size), deps(i.a)));
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::rmw(const Instr& i) {
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    const unsigned size = i.c();
    View view;
    const Reach where = reach(slot(i.a), size, true, true, view);
    if (where == Reach::Fault) {
        return trap_fault();
    }
    Action& a = act_on(ActionKind::Rmw, i, slot(i.a), size);
    a.rmw = static_cast<RmwOp>(i.e());
    a.value = value_of(i.b, size);
    a.deps.data = deps_of(i.b, size);
    if (where == Reach::Elsewhere) {
        return Next::Stop;
    }
    note_address(i);
    DepSet d = 0;
    const Value old = load_view(view, size, d);
    store_view(view, size, *updated(a, old), machine_.deps().unite(d, a.deps.data));
    set_value(i.dst, old, size * 8, d);
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::cmpxchg(const Instr& i) {
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    const unsigned size = i.e();
    View view;
    const Reach where = reach(slot(i.a), size, true, true, view);
    if (where == Reach::Fault) {
        return trap_fault();
    }
    Action& a = act_on(ActionKind::Rmw, i, slot(i.a), size);
    a.rmw = (i.f() & kUnless) != 0 ? RmwOp::AddUnless : RmwOp::CompareExchange;
    a.failure_order = static_cast<Order>(i.f() & 0xff);
    a.weak = (i.f() & kWeakExchange) != 0;
    a.expected = value_of(i.b, size);
    a.value = value_of(i.c(), size);
    a.deps.data = machine_.deps().unite(deps_of(i.b, size), deps_of(i.c(), size));
    if (!a.expected.defined()) {
        return trap_undefined("a compare-and-exchange");
    }
    if (where == Reach::Elsewhere) {
        return Next::Stop;
    }
    note_address(i);
    DepSet d = 0;
    const Value old = load_view(view, size, d);
    if (!old.defined()) {
        return trap_undefined("a compare-and-exchange");
    }
    const auto fresh = updated(a, old);
    if (fresh) {
        store_view(view, size, *fresh, a.deps.data);
    }
    set_value(i.dst, old, size * 8, d);
    if (i.dst != kNoSlot) {
        set(static_cast<Slot>(i.dst + (size > 8 ? 2 : 1)), fresh.has_value(), 0, d);
    }
    advance();
    return Next::Go;
}

Interpreter::Next Interpreter::fence(const Instr& i) {
    Action& a = act(ActionKind::Fence);
    a.order = static_cast<Order>(i.c());
    a.fence = static_cast<FenceKind>(i.d());
    return emit();
}

} // namespace heddle
