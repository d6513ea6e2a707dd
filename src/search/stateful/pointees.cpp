#include "search/stateful/pointees.hpp"

#include "program/slot_uses.hpp"

#include <cstring>
#include <span>

namespace heddle::stateful {
namespace {

/// May what is computed be an address hidden in a number? (Of sums and differences see Escapes::hides.)
bool hides_address(Op op) {
    switch (op) {
    case Op::Mul:
    case Op::UDiv:
    case Op::SDiv:
    case Op::Xor:
    case Op::Shl:
    case Op::LShr:
    case Op::AShr:
    case Op::Bswap:
    case Op::BitReverse:
    case Op::FunnelShl:
    case Op::FunnelShr:
        return true;
    default:
        return op >= Op::UAddO && op <= Op::FMath && !(op >= Op::WCmpEq && op <= Op::WCmpSle) && op != Op::FCmp;
    }
}

/// One round after the other over all the code, in no order: registers, parameters and results only grow.
class Escapes {
  public:
    Escapes(const Program& program, const Cells& cells) : program_(program), cells_(cells) {
        for (const Function& f : program.functions) {
            auto& slots = slots_.emplace_back(f.slots);
            for (std::size_t k = 0; k < f.constants.size(); ++k) {
                slots[f.first_constant + k] = blurred(cells, Word::known(f.constants[k]));
            }
        }
        results_.resize(program.functions.size());
        for (const Global& g : program.globals) {
            escape_bytes(g.init);
        }
        for (const ThreadLocal& t : program.thread_locals) {
            escape_bytes(t.init);
        }
    }

    Escaping run() {
        for (grown_ = true; grown_;) {
            grown_ = false;
            for (std::size_t f = 0; f < program_.functions.size(); ++f) {
                for (const Instr& i : program_.functions[f].code) {
                    instruction(f, i);
                }
            }
        }
        return {.globals = std::move(escaping_), .hidden = hidden_};
    }

  private:
    void escape_bytes(std::span<const std::uint8_t> bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            escape(blurred(cells_, Word::known(word)));
        }
    }
    void escape(const Word& w) { grown_ = escaping_.add(w.globals) || grown_; }
    void add(Word& into, const Word& from) { grown_ = join(cells_, into, from) || grown_; }
    /// Does the instruction compute a number from the address of a global variable that only more computing makes into the address again? Adding a constant leads from one part of an object to another, two addresses
    /// in one object are as far from each other as numbers are, and what is left of a division by a constant is an index. (Registers that hold an address here and a number there are taken for both.)
    [[nodiscard]] bool hides(std::size_t f, const Instr& i) const {
        const Function& function = program_.functions[f];
        const auto is_constant = [&](Slot s) {
            return s >= function.first_constant && s < function.first_constant + function.constants.size();
        };
        switch (i.op) {
        case Op::Add:
            return !is_constant(i.a) && !is_constant(i.b);
        case Op::Sub:
            return !is_constant(i.a) && !is_constant(i.b) && slots_[f][i.a].globals != slots_[f][i.b].globals;
        case Op::URem:
        case Op::SRem:
            return !is_constant(i.b);
        default:
            return hides_address(i.op);
        }
    }
    void escape_list(std::size_t f, std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; ++k) {
            escape(slots_[f][program_.functions[f].operands[first + k]]);
        }
    }
    void call(std::size_t f, const Instr& i) {
        const Function& callee = program_.functions[i.x()];
        for (std::uint32_t k = 0; k < std::min<std::uint32_t>(i.a, callee.params); ++k) {
            add(slots_[i.x()][k], slots_[f][program_.functions[f].operands[i.y() + k]]);
        }
        for (std::uint32_t k = 0; i.dst != kNoSlot && k < callee.results; ++k) {
            add(slots_[f][i.dst + k], results_[i.x()]);
        }
    }

    void instruction(std::size_t f, const Instr& i) {
        auto& slots = slots_[f];
        const SlotUses uses = slot_uses(i);
        Word all = Word::number();
        for (const SlotUse& use : uses.all()) {
            for (unsigned k = 0; !use.writes && k < use.count; ++k) {
                join(cells_, all, slots[slot_in(i, use.field) + k]);
            }
        }
        switch (i.op) {
        case Op::Load:
        case Op::LoadLocal:
            all = Word::number(); // what memory holds has escaped
            break;
        case Op::Store:
        case Op::Rmw:
        case Op::CmpXchg:
        case Op::StoreLocal:
            for (const SlotUse& use : uses.all()) {
                for (unsigned k = 0; !use.writes && use.field != SlotField::A && k < use.count; ++k) {
                    escape(slots[slot_in(i, use.field) + k]);
                }
            }
            all = Word::number();
            break;
        case Op::Call:
            return call(f, i);
        case Op::CallPtr:
            escape_list(f, i.y(), i.b);
            return;
        case Op::Ret:
            escape_list(f, i.y(), i.a);
            for (std::uint32_t k = 0; k < i.a; ++k) {
                add(results_[f], slots[program_.functions[f].operands[i.y() + k]]);
            }
            return;
        case Op::Builtin: {
            // The first argument of those that work on memory is an address that nobody keeps.
            const auto id = static_cast<Builtin>(i.x());
            const bool keeps_none = id == Builtin::Lock || id == Builtin::TryLock || id == Builtin::Unlock ||
                                    id == Builtin::WaitLoad || id == Builtin::WaitRmw;
            escape_list(f, i.y() + (keeps_none ? 1 : 0), i.a - (keeps_none ? 1u : 0u));
            return;
        }
        default:
            if (all.globals != NumberSet() && hides(f, i)) {
                escape(all);
                hidden_ = true;
            }
            break;
        }
        for (const SlotUse& use : uses.all()) {
            for (unsigned k = 0; use.writes && k < use.count; ++k) {
                add(slots[slot_in(i, use.field) + k], all);
            }
        }
    }

    const Program& program_;
    const Cells& cells_;
    std::vector<std::vector<Word>> slots_; ///< by function
    std::vector<Word> results_;            ///< by function: of all its results
    NumberSet escaping_;
    bool hidden_ = false;
    bool grown_ = false;
};

} // namespace

Word blurred(const Cells& cells, const Word& word) {
    if (!word.exact) {
        return word;
    }
    const Address a = without_tag(word.value);
    const AddressKind kind = kind_of(a);
    Word w = Word::number();
    w.made = kind == AddressKind::Heap || kind == AddressKind::Stack;
    if (const auto g = cells.global_of(a)) {
        w.globals.add(*g);
    }
    return w;
}

bool join(const Cells& cells, Word& into, const Word& from) {
    if (!from.some || (into.exact && from.exact && into.value == from.value)) {
        return false;
    }
    if (!into.some) {
        into = from;
        return true;
    }
    const bool was_exact = into.exact;
    into = blurred(cells, into);
    const Word other = blurred(cells, from);
    const bool news = was_exact || (other.made && !into.made) || (other.unknown && !into.unknown);
    into.made = into.made || other.made;
    into.unknown = into.unknown || other.unknown;
    return into.globals.add(other.globals) || news;
}

Escaping escaping_globals(const Program& program, const Cells& cells) { return Escapes(program, cells).run(); }

} // namespace heddle::stateful
