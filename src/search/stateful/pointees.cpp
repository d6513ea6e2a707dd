#include "search/stateful/pointees.hpp"

#include "program/slot_uses.hpp"

#include <cstring>
#include <span>

namespace heddle::stateful {
namespace {

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

    NumberSet run() {
        for (grown_ = true; grown_;) {
            grown_ = false;
            for (std::size_t f = 0; f < program_.functions.size(); ++f) {
                for (const Instr& i : program_.functions[f].code) {
                    instruction(f, i);
                }
            }
        }
        return std::move(escaping_);
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

NumberSet escaping_globals(const Program& program, const Cells& cells) { return Escapes(program, cells).run(); }

} // namespace heddle::stateful
