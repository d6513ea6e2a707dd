// Loads, stores, updates, copying, and the life of stack and thread-local objects.
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
    return (to & ((Address{1} << 47) - 1)) | kStrayPointer;
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
    a.rmw = RmwOp::CompareExchange;
    a.failure_order = static_cast<Order>(i.f() & 0xff);
    a.weak = (i.f() & 0x100) != 0;
    a.expected = value_of(i.b, size);
    a.value = value_of(i.c(), size);
    a.deps.data = machine_.deps().unite(deps_of(i.b, size), deps_of(i.c(), size));
    if (!a.expected.defined()) {
        return trap_undefined("a compare-and-exchange");
    }
    if (where == Reach::Elsewhere) {
        return Next::Stop;
    }
    DepSet d = 0;
    const Value old = load_view(view, size, d);
    if (!old.defined()) {
        return trap_undefined("a compare-and-exchange");
    }
    if (const auto fresh = updated(a, old)) {
        store_view(view, size, *fresh, a.deps.data);
    }
    set_value(i.dst, old, size * 8, d);
    if (i.dst != kNoSlot) {
        set(static_cast<Slot>(i.dst + (size > 8 ? 2 : 1)), matches(a, old), 0, d);
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

// --- memcpy, memmove, memset ----------------------------------------------------------------------------------------------------------------

namespace {

/// How many bytes the next step of a copy moves: the largest power of two, up to 8, that both addresses allow. So a copy of an aligned
/// object touches whole aligned words, as compiled code does.
unsigned chunk_size(Address a, Address b, u64 left) {
    unsigned n = 8;
    while (n > 1 && (n > left || (a | b) % n != 0)) {
        n /= 2;
    }
    return n;
}

} // namespace

void Interpreter::finish_bytes() {
    Frame& f = frame();
    f.progress = 0;
    f.chunk = 0;
    f.chunk_undef = 0;
    f.chunk_deps = 0;
    advance();
}

Interpreter::Next Interpreter::copy_bytes(const Instr& i) {
    if (undef(i.c()) != 0) {
        return trap_undefined("the size of a copy");
    }
    const u64 size = slot(i.c());
    if (size == 0) {
        advance();
        return Next::Go;
    }
    if (undefined_address(i.a) || undefined_address(i.b)) {
        return Next::Stop;
    }
    const Address to = slot(i.a);
    const Address from = slot(i.b);
    View source;
    View target;
    const Reach at_source = reach(from, size, false, false, source);
    if (at_source == Reach::Fault) {
        return trap_fault();
    }
    const Reach at_target = reach(to, size, true, false, target);
    if (at_target == Reach::Fault) {
        return trap_fault();
    }
    if (at_source == Reach::Here && at_target == Reach::Here) {
        reach(from, size, false, false, source); // once more: making the target our own may have moved the source
        std::memmove(target.bytes, source.bytes, size);
        if (source.undef) {
            std::memmove(target.undef, source.undef, size);
        } else {
            std::memset(target.undef, 0, size);
        }
        if (target.deps) {
            for (u64 k = 0; k < size; ++k) {
                target.deps[k] = source.deps ? source.deps[k] : 0;
            }
        }
        advance();
        return Next::Go;
    }
    // One side is shared: word by word, each a load or a store of its own. Backwards when the target overlaps the source from above.
    const bool backwards = to > from && to - from < size;
    while (frame().progress < 2 * size) {
        Frame& f = frame();
        const u64 done = f.progress / 2;
        const u64 left = size - done;
        const Address behind = backwards ? left : done;
        const unsigned n = chunk_size(to + behind, from + behind, left);
        const u64 at = backwards ? left - n : done;
        const bool loading = f.progress % 2 == 0;
        if ((loading ? at_source : at_target) == Reach::Elsewhere) {
            Action& a = act(loading ? ActionKind::Load : ActionKind::Store);
            a.address = (loading ? from : to) + at;
            a.size = static_cast<std::uint8_t>(n);
            a.is_volatile = (i.d() & kVolatile) != 0;
            a.deps.address = deps(loading ? i.b : i.a);
            if (!loading) {
                a.value = {.lo = f.chunk, .undef_lo = f.chunk_undef};
                a.deps.data = f.chunk_deps;
            }
            return Next::Stop;
        }
        View part;
        reach((loading ? from : to) + at, n, !loading, false, part);
        if (loading) {
            DepSet d = deps(i.b);
            const Value v = load_view(part, n, d);
            f.chunk = v.lo;
            f.chunk_undef = v.undef_lo;
            f.chunk_deps = d;
            ++f.progress;
        } else {
            store_view(part, n, {.lo = f.chunk, .undef_lo = f.chunk_undef}, f.chunk_deps);
            f.progress += 2 * n - 1;
        }
    }
    finish_bytes();
    return Next::Go;
}

Interpreter::Next Interpreter::set_bytes(const Instr& i) {
    if (undef(i.c()) != 0) {
        return trap_undefined("the size of a memset");
    }
    const u64 size = slot(i.c());
    if (size == 0) {
        advance();
        return Next::Go;
    }
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    const Address to = slot(i.a);
    View view;
    switch (reach(to, size, true, false, view)) {
    case Reach::Fault:
        return trap_fault();
    case Reach::Here:
        std::memset(view.bytes, static_cast<int>(slot(i.b)), size);
        std::memset(view.undef, static_cast<int>(undef(i.b)), size);
        if (view.deps) {
            std::fill_n(view.deps, size, deps(i.b));
        }
        advance();
        return Next::Go;
    case Reach::Elsewhere:
        break;
    }
    const u64 done = frame().progress / 2;
    if (done == size) {
        finish_bytes();
        return Next::Go;
    }
    const unsigned n = chunk_size(to + done, to + done, size - done);
    constexpr u64 kEveryByte = 0x0101010101010101;
    Action& a = act(ActionKind::Store);
    a.address = to + done;
    a.size = static_cast<std::uint8_t>(n);
    a.is_volatile = (i.d() & kVolatile) != 0;
    a.value = {.lo = ((slot(i.b) & 0xff) * kEveryByte) & mask_of_bits(n * 8),
               .undef_lo = ((undef(i.b) & 0xff) * kEveryByte) & mask_of_bits(n * 8)};
    a.deps.address = deps(i.a);
    a.deps.data = deps(i.b);
    return Next::Stop;
}

/// A load or store of copy_bytes or set_bytes has happened.
void Interpreter::complete_bytes(const Instr& i, const Value& outcome) {
    Frame& f = frame();
    const u64 size = slot(i.c());
    const u64 done = f.progress / 2;
    const Address to = slot(i.a);
    if (i.op == Op::MemSet) {
        f.progress += 2 * u64{chunk_size(to + done, to + done, size - done)};
        return;
    }
    const Address from = slot(i.b);
    const bool backwards = to > from && to - from < size;
    const Address behind = backwards ? size - done : done;
    const unsigned n = chunk_size(to + behind, from + behind, size - done);
    if (f.progress % 2 == 0) {
        f.chunk = outcome.lo;
        f.chunk_undef = outcome.undef_lo;
        f.chunk_deps = machine_.options().dependencies ? machine_.deps().single(thread_.actions) : 0;
        ++f.progress;
    } else {
        f.progress += 2 * u64{n} - 1;
    }
}

// --- the life of objects ----------------------------------------------------------------------------------------------------------------------

std::optional<Address> Interpreter::next_heap_address(u64 size, u64 align) const {
    const Span span = span_of(size, align);
    if (thread_.next_heap_region + span.regions > kMaxRegions) {
        return std::nullopt;
    }
    return make_address(AddressKind::Heap, thread_.id, thread_.next_heap_region, 0) + span.offset;
}

void Interpreter::take_heap_address(Address address, u64 size, u64 align) {
    const Span span = span_of(size, align);
    thread_.next_heap_region = region_of(address - span.offset) + static_cast<std::uint32_t>(span.regions);
}

std::optional<Address> Interpreter::next_stack_address(u64 size, u64 align) const {
    const Span span = span_of(size, align);
    u64 region = thread_.next_stack_region;
    const auto& stack = thread_.memory->stack;
    for (std::size_t tries = 0; tries <= stack.size() + 1; ++tries) {
        if (region + span.regions > kMaxRegions) {
            region = 0; // Numbers are used again, oldest first, so a dangling pointer is noticed for as long as possible.
        }
        if (!thread_.stack_regions_wrapped && region == thread_.next_stack_region) {
            return make_address(AddressKind::Stack, thread_.id, static_cast<std::uint32_t>(region), 0) + span.offset;
        }
        const auto live = std::ranges::find_if(stack, [&](const StackObject& o) {
            const u64 first = region_of(o.address - kGuard);
            const u64 last = region_of(o.address + o.size + kGuard);
            return kind_of(o.address) == AddressKind::Stack && first < region + span.regions && region <= last;
        });
        if (live == stack.end()) {
            return make_address(AddressKind::Stack, thread_.id, static_cast<std::uint32_t>(region), 0) + span.offset;
        }
        region = region_of(live->address + live->size + kGuard) + 1;
    }
    return std::nullopt;
}

void Interpreter::take_stack_address(Address address, u64 size, u64 align) {
    const Span span = span_of(size, align);
    const std::uint32_t first = region_of(address - span.offset);
    thread_.stack_regions_wrapped |= first < thread_.next_stack_region;
    thread_.next_stack_region = first + static_cast<std::uint32_t>(span.regions);
    own_memory().stack.push_back({address, size});
    thread_.stack_bytes += size;
}

PrivateBlock* Interpreter::new_block(u64 align, ObjectKind kind, Ref<Block> data) {
    PrivateMemory& memory = own_memory();
    const Span span = span_of(data->size(), align);
    if (memory.next_region + span.regions > kMaxRegions) {
        return nullptr;
    }
    const Address base = make_address(AddressKind::Block, thread_.id, memory.next_region, 0) + span.offset;
    memory.next_region += static_cast<std::uint32_t>(span.regions);
    const u64 size = data->size();
    memory.blocks.push_back(
        {.base = base, .size = size, .kind = kind, .data = std::move(data), .allocated = machine_.place(thread_)});
    return &memory.blocks.back();
}

bool Interpreter::prepare_alloc(std::optional<Address> address, u64 size, u64 align, ObjectKind kind) {
    if (!address) {
        trap(TrapKind::OutOfBudget, "this thread has made more objects than Heddle can number");
        return false;
    }
    Action& a = act(ActionKind::Alloc);
    a.address = *address;
    a.count = size;
    a.align = static_cast<std::uint32_t>(align);
    a.object = kind;
    return true;
}

Interpreter::Next Interpreter::alloca_object(const Instr& i) {
    if (undef(i.a) != 0) {
        return trap_undefined("the size of an array");
    }
    const u64 size = slot(i.a);
    const u64 align = i.x();
    if (size > machine_.options().max_stack_bytes ||
        frame().total_bytes + thread_.stack_bytes + size > machine_.options().max_stack_bytes) {
        return trap(TrapKind::StackOverflow, fmt::format("a local variable of {} bytes overflows the stack of {} bytes", size,
                                                         machine_.options().max_stack_bytes));
    }
    const auto& names = frame().function->variables;
    const std::string* name = i.b < names.size() ? &names[i.b] : nullptr;
    if (i.y() == 0) {
        PrivateBlock* block = new_block(align, ObjectKind::Stack, Block::make(size, Block::Content::Undefined));
        if (!block) {
            return trap(TrapKind::StackOverflow, "this thread has more local arrays than Heddle can number");
        }
        block->name = name;
        thread_.memory->stack.push_back({block->base, size});
        thread_.stack_bytes += size;
        set(i.dst, block->base, 0, 0);
        advance();
        return Next::Go;
    }
    if (!prepare_alloc(next_stack_address(size, align), size, align, ObjectKind::Stack)) {
        return Next::Stop;
    }
    action_->name = name;
    return emit();
}

void Interpreter::forget_stack_object() {
    PrivateMemory& memory = own_memory();
    const StackObject last = memory.stack.back();
    memory.stack.pop_back();
    thread_.stack_bytes -= last.size;
    if (kind_of(last.address) == AddressKind::Block) {
        // The newest block of kind Stack: thread-local ones made since stay, so its region numbers are used again only when it is last.
        const auto at = std::ranges::find(memory.blocks, last.address, &PrivateBlock::base);
        if (std::next(at) == memory.blocks.end()) {
            memory.next_region = region_of(at->base - kGuard);
        }
        memory.blocks.erase(at);
    }
}

/// Ends the newest stack object; the instruction comes back until `down_to` are left.
Interpreter::Next Interpreter::end_stack_objects(std::size_t down_to) {
    while (thread_.memory->stack.size() > down_to) {
        const StackObject last = thread_.memory->stack.back();
        if (kind_of(last.address) == AddressKind::Stack) {
            Action& a = act(ActionKind::Free);
            a.address = last.address;
            a.count = last.size;
            a.object = ObjectKind::Stack;
            return emit();
        }
        forget_stack_object();
    }
    return Next::Go;
}

Interpreter::Next Interpreter::thread_local_address(const Instr& i) {
    const auto variable = static_cast<std::uint32_t>(i.imm);
    const ThreadLocal& t = program_.thread_locals[variable];
    if (thread_.memory->thread_locals.empty()) {
        own_memory().thread_locals.resize(program_.thread_locals.size());
    }
    if (const Address known = thread_.memory->thread_locals[variable]; known != 0) {
        set(i.dst, known, 0, 0);
        advance();
        return Next::Go;
    }
    if (!t.escapes) {
        PrivateBlock* block = new_block(t.align, ObjectKind::ThreadLocal, Block::make(t.size, t.init));
        if (!block) {
            return trap(TrapKind::OutOfBudget, "this thread has more variables than Heddle can number");
        }
        block->name = &t.name;
        block->allocated = t.place;
        thread_.memory->thread_locals[variable] = block->base;
        return Next::Go;
    }
    if (!prepare_alloc(next_heap_address(t.size, t.align), t.size, t.align, ObjectKind::ThreadLocal)) {
        return Next::Stop;
    }
    action_->place = t.place;
    action_->name = &t.name;
    action_->zeroed = t.init.empty();
    action_->image = t.init.empty() ? nullptr : &t.init;
    return emit();
}

} // namespace heddle
