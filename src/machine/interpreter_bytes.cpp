// memcpy, memmove and memset: at once where all memory is at hand, else word by word, each a load or a store of its own.
#include "machine/interpreter.hpp"

namespace heddle {
namespace {

using u64 = std::uint64_t;

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
        note_address(i);
        advance();
        return Next::Go;
    }
    if (undefined_address(i.a) || undefined_address(i.b)) {
        return Next::Stop;
    }
    note_address(i);
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
        note_address(i);
        advance();
        return Next::Go;
    }
    if (undefined_address(i.a)) {
        return Next::Stop;
    }
    note_address(i);
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

} // namespace heddle
