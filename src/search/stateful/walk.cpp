#include "search/stateful/walk.hpp"

#include "program/slot_uses.hpp"
#include "program/targets.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

std::int64_t extended(std::uint64_t v, unsigned width) {
    const unsigned shift = width >= 64 ? 0 : 64 - width;
    return static_cast<std::int64_t>(v << shift) >> shift;
}

/// Does a branch that compares go to its first target? Of a width in bits.
bool compares(Op op, std::uint64_t a, std::uint64_t b, unsigned width) {
    switch (op) {
    case Op::BrEq:
    case Op::CmpEq:
        return a == b;
    case Op::BrNe:
    case Op::CmpNe:
        return a != b;
    case Op::BrUlt:
    case Op::CmpUlt:
        return a < b;
    case Op::BrUle:
    case Op::CmpUle:
        return a <= b;
    case Op::BrSlt:
    case Op::CmpSlt:
        return extended(a, width) < extended(b, width);
    default:
        return extended(a, width) <= extended(b, width);
    }
}

/// The instruction's result, if it follows from what is known of its operands. Nothing: it does not, or not by this function.
std::optional<std::uint64_t> folded(const Instr& i, std::uint64_t a, std::uint64_t b) {
    switch (i.op) {
    case Op::Mov:
    case Op::Freeze:
        return a;
    case Op::Add:
        return (a + b) & i.imm;
    case Op::Sub:
        return (a - b) & i.imm;
    case Op::Mul:
        return (a * b) & i.imm;
    case Op::And:
        return a & b;
    case Op::Or:
        return a | b;
    case Op::Xor:
        return a ^ b;
    case Op::Trunc:
        return a & i.imm;
    case Op::Sext:
        return static_cast<std::uint64_t>(extended(a, i.x())) & mask_of_bits(i.y());
    case Op::Gep:
        return a + b * i.x() + static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(i.y())));
    case Op::PtrAdd:
        return a + i.imm;
    case Op::CmpEq:
    case Op::CmpNe:
    case Op::CmpUlt:
    case Op::CmpUle:
    case Op::CmpSlt:
    case Op::CmpSle:
        return compares(i.op, a, b, static_cast<unsigned>(i.imm)) ? 1 : 0;
    default:
        return std::nullopt;
    }
}

} // namespace

Walk::Walk(Futures& futures, const Function& function, Futures::Barred barred)
    : futures_(futures), function_(function), barred_(barred), slots_(function.slots) {
    for (std::size_t k = 0; k < function.constants.size(); ++k) {
        slots_[function.first_constant + k] = Word::known(function.constants[k]);
    }
}

Future Walk::from(std::uint32_t pc) {
    // A round for as long as registers may hold more than they were thought to. What a round finds stays true in the next.
    for (changed_ = true; changed_;) {
        changed_ = false;
        reached_.assign(function_.code.size(), false);
        next_.assign(1, pc);
        while (!next_.empty()) {
            const std::uint32_t k = next_.back();
            next_.pop_back();
            if (!reached_[k]) {
                reached_[k] = true;
                instruction(k);
            }
        }
    }
    return std::move(future_);
}

void Walk::instruction(std::uint32_t pc) {
    const Instr& i = function_.code[pc];
    switch (i.op) {
    case Op::Jump:
    case Op::Switch:
        return branch(i);
    case Op::Unreachable:
    case Op::Unsupported:
        return;
    case Op::Ret:
        future_.returns = true;
        for (const Word& w : list(i.y(), i.a)) {
            changed_ = join(futures_.cells_, future_.result, w) || changed_;
        }
        return;
    case Op::Call:
        return call(i, pc);
    case Op::CallPtr:
        return call_pointer(i, pc);
    case Op::Builtin:
        if (builtin(i)) {
            go(pc + 1);
        }
        return;
    case Op::Load:
    case Op::Store:
    case Op::Rmw:
    case Op::CmpXchg:
    case Op::MemCpy:
    case Op::MemMove:
    case Op::MemSet:
        access(i);
        break;
    case Op::LoadLocal:
        put(i.dst, Word::from_memory());
        if (i.e() > 8) {
            put(static_cast<Slot>(i.dst + 1), Word::from_memory());
        }
        break;
    case Op::TlsAddr:
        put(i.dst, futures_.program_.thread_locals[i.imm].escapes ? Word::to_made() : Word::number());
        break;
    case Op::Alloca:
        put(i.dst, i.y() == 1 ? Word::to_made() : Word::number());
        future_.writes.add(Cells::kMade); // what it makes will end
        break;
    case Op::StackRestore:
        future_.writes.add(Cells::kMade);
        break;
    case Op::Select:
        if (slots_[i.a].exact) {
            put(i.dst, slots_[slots_[i.a].value != 0 ? i.b : i.c()]);
        } else {
            mix(i);
        }
        break;
    default:
        if (is_two_way(i.op)) {
            return branch(i);
        }
        mix(i);
    }
    go(pc + 1);
}

void Walk::mix(const Instr& i) {
    const SlotUses uses = slot_uses(i);
    Word all = Word::number();
    bool exact = true;
    bool some = true;
    bool first = false, second = false; // of the operands, are these read?
    for (const SlotUse& use : uses.all()) {
        for (unsigned k = 0; !use.writes && k < use.count; ++k) {
            const Word& w = slots_[slot_in(i, use.field) + k];
            exact = exact && w.exact;
            some = some && w.some;
            join(futures_.cells_, all, w);
        }
        first = first || (!use.writes && use.field == SlotField::A);
        second = second || (!use.writes && use.field == SlotField::B);
    }
    if (!some) {
        return; // nothing gets here yet
    }
    if (exact && first) {
        if (const auto value = folded(i, slots_[i.a].value, second ? slots_[i.b].value : 0)) {
            all = Word::known(*value);
        }
    }
    for (const SlotUse& use : uses.all()) {
        for (unsigned k = 0; use.writes && k < use.count; ++k) {
            put(static_cast<Slot>(slot_in(i, use.field) + k), all);
        }
    }
}

void Walk::access(const Instr& i) {
    constexpr std::uint64_t kWhole = ~std::uint64_t{0} >> 1;
    const Word& to = slots_[i.a];
    const bool plain = static_cast<Order>(i.d() & 0xff) == Order::NonAtomic; // of a Load or a Store
    switch (i.op) {
    case Op::Load: {
        futures_.add_cells(to, i.c(), future_.reads);
        if (plain) {
            futures_.add_cells(to, i.c(), future_.plain_reads);
        }
        const Word word = futures_.loaded(to, i.c(), i.e());
        put(i.dst, word);
        if (i.c() > 8) {
            put(static_cast<Slot>(i.dst + 1), word);
        }
        return;
    }
    case Op::Store:
        futures_.add_cells(to, i.c(), future_.writes);
        if (plain) {
            futures_.add_cells(to, i.c(), future_.plain_writes);
        }
        return;
    case Op::Rmw:
    case Op::CmpXchg: {
        const unsigned size = i.op == Op::Rmw ? i.c() : i.e();
        futures_.add_cells(to, size, future_.reads);
        futures_.add_cells(to, size, future_.writes);
        const SlotUses uses = slot_uses(i);
        for (const SlotUse& use : uses.all()) {
            for (unsigned k = 0; use.writes && k < use.count; ++k) {
                put(static_cast<Slot>(slot_in(i, use.field) + k), Word::from_memory());
            }
        }
        return;
    }
    default:
        for (NumberSet* const writes : {&future_.writes, &future_.plain_writes}) {
            futures_.add_cells(blurred(futures_.cells_, to), kWhole, *writes);
        }
        for (NumberSet* const reads : {&future_.reads, &future_.plain_reads}) {
            if (i.op != Op::MemSet) {
                futures_.add_cells(blurred(futures_.cells_, slots_[i.b]), kWhole, *reads);
            }
        }
    }
}

std::vector<Word> Walk::list(std::uint32_t first, std::uint32_t count) const {
    std::vector<Word> words;
    for (std::uint32_t k = 0; k < count; ++k) {
        words.push_back(slots_[function_.operands[first + k]]);
    }
    return words;
}

void Walk::call(const Instr& i, std::uint32_t pc) {
    const Future& callee = futures_.call(i.x(), list(i.y(), i.a), barred_);
    future_.add(callee);
    if (!callee.returns) {
        return;
    }
    for (std::uint32_t k = 0; i.dst != kNoSlot && k < futures_.program_.functions[i.x()].results; ++k) {
        put(static_cast<Slot>(i.dst + k), callee.result);
    }
    go(pc + 1);
}

void Walk::call_pointer(const Instr& i, std::uint32_t pc) {
    const Word& target = slots_[i.a];
    const std::size_t f = static_region_of(target.value);
    Word result = Word::from_memory();
    if (target.exact) {
        if (kind_of(target.value) != AddressKind::Function || f >= futures_.program_.functions.size()) {
            return; // a trap
        }
        const Future& callee = futures_.call(f, list(i.y(), i.b), barred_);
        future_.add(callee);
        if (!callee.returns) {
            return;
        }
        result = callee.result.some ? callee.result : result;
    } else {
        futures_.call_unknown(i.b, barred_, future_);
    }
    for (std::uint32_t k = 0; i.dst != kNoSlot && k < i.x(); ++k) {
        put(static_cast<Slot>(i.dst + k), result);
    }
    go(pc + 1);
}

bool Walk::builtin(const Instr& i) {
    constexpr unsigned kLockBytes = 4;
    constexpr unsigned kMostBytes = 16;
    const auto id = static_cast<Builtin>(i.x());
    const auto result = [&](const Word& w) {
        if (i.dst != kNoSlot) {
            put(i.dst, w);
        }
    };
    switch (id) {
    case Builtin::Lock:
    case Builtin::TryLock: {
        const Word& lock = argument(i, 0);
        const bool barred = barred_ && lock.exact && lock.value == *barred_;
        if (barred && id == Builtin::Lock) {
            return false;
        }
        futures_.add_cells(lock, kLockBytes, future_.reads);
        if (!barred) { // somebody holds it, so an attempt changes nothing
            futures_.add_cells(lock, kLockBytes, future_.writes);
        }
        result(Word::number());
        return true;
    }
    case Builtin::Unlock: {
        const Word& lock = argument(i, 0);
        futures_.add_cells(lock, kLockBytes, future_.writes);
        if (lock.exact) {
            future_.add({.unlocks = {lock.value}});
        }
        return true;
    }
    case Builtin::WaitLoad:
        if (const Word& order = argument(i, 2); !order.exact || static_cast<Order>(order.value) == Order::NonAtomic) {
            futures_.add_cells(argument(i, 0), kMostBytes, future_.plain_reads);
        }
        [[fallthrough]];
    case Builtin::WaitRmw:
        futures_.add_cells(argument(i, 0), kMostBytes, future_.reads);
        if (id == Builtin::WaitRmw) {
            futures_.add_cells(argument(i, 0), kMostBytes, future_.writes);
        }
        result(Word::from_memory());
        return true;
    case Builtin::Free:
        future_.writes.add(Cells::kMade);
        return true;
    case Builtin::ObjectSize:
        future_.reads.add(Cells::kMade);
        result(Word::number());
        return true;
    case Builtin::Spawn:
        if (futures_.program_.thread_main) {
            future_.add(futures_.call(futures_.program_.thread_main->index, list(i.y(), i.a), barred_));
        }
        result(Word::number());
        return true;
    case Builtin::Alloc:
        result(Word::to_made());
        return true;
    case Builtin::Exit:
    case Builtin::Fail:
        return false;
    case Builtin::ThreadExit:
        return false; // what its frames have made and will end is in Futures::rest and at Alloca
    case Builtin::Join:
        result(Word::from_memory());
        return true;
    default:
        result(Word::number());
        return true;
    }
}

void Walk::branch(const Instr& i) {
    if (i.op == Op::Jump) {
        return go(i.imm);
    }
    const Word& a = slots_[i.a];
    if (i.op == Op::Switch) {
        if (!a.exact) {
            return each_target(i, function_.switches, [&](std::uint64_t target) { go(target); });
        }
        const Switch& s = function_.switches[i.imm];
        const auto found = std::ranges::find(s.cases, a.value, &Switch::Case::value);
        return go(found == s.cases.end() ? s.otherwise : found->target);
    }
    const bool known = a.exact && (i.op == Op::Br || slots_[i.b].exact);
    if (!known) {
        go(i.x());
        return go(i.y());
    }
    const bool taken = i.op == Op::Br ? a.value != 0 : compares(i.op, a.value, slots_[i.b].value, i.dst);
    go(taken ? i.x() : i.y());
}

} // namespace heddle::stateful
