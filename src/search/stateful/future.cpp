#include "search/stateful/future.hpp"

#include "program/slot_uses.hpp"
#include "search/stateful/walk.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {
namespace {

/// From so many variants on, functions are looked at without knowing the values of their arguments; from twice as many, not at all.
constexpr unsigned kManyVariants = 24;

constexpr std::uint64_t kUnbarred = 0;

void append(std::vector<std::uint64_t>& key, const Word& w) {
    std::uint64_t flags = (w.some ? 1u : 0u) | (w.exact ? 2u : 0u) | (w.made ? 4u : 0u) | (w.unknown ? 8u : 0u);
    key.push_back(w.exact ? w.value : 0);
    w.globals.for_each([&](std::size_t g) {
        flags += 16;
        key.push_back(g);
    });
    key.push_back(flags);
}

} // namespace

void Future::add(const Future& other) {
    reads.add(other.reads);
    writes.add(other.writes);
    plain_reads.add(other.plain_reads);
    plain_writes.add(other.plain_writes);
    for (const Address a : other.unlocks) {
        const auto at = std::ranges::lower_bound(unlocks, a);
        if (at == unlocks.end() || *at != a) {
            unlocks.insert(at, a);
        }
    }
}

Futures::Futures(const Program& program, const ThreadState& main, const Memory& memory)
    : program_(program), cells_(program), live_(program, false), escaping_(escaping_globals(program, cells_)) {
    unknown_.add(Cells::kMade);
    escaping_.globals.for_each([&](std::size_t g) { cells_.add_global(g, unknown_); });
    initial_.resize(program.first_constant_global);
    memory.objects().for_each([&](const Object& o) {
        const Block& block = memory.contents(o);
        if (const auto g = cells_.global_of(o.base); g && !block.has_undef(0, block.size())) {
            initial_[*g].assign(block.bytes(), block.bytes() + block.size());
        }
    });
    find_addressed_functions();
    while (written_.add(of(main, {}).writes)) {
        calls_.clear();
        variants_.clear();
        threads_.clear();
    }
}

void Futures::find_addressed_functions() {
    std::vector<bool> addressed(program_.functions.size(), false);
    const auto look_at = [&](std::uint64_t word) {
        const Address a = without_tag(word);
        const std::size_t f = static_region_of(a);
        if (kind_of(a) == AddressKind::Function && f < addressed.size()) {
            addressed[f] = true;
        }
    };
    const auto look_at_bytes = [&](const std::vector<std::uint8_t>& bytes) {
        for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data() + at, 8);
            look_at(word);
        }
    };
    for (const Function& f : program_.functions) {
        std::ranges::for_each(f.constants, look_at);
    }
    for (const Global& g : program_.globals) {
        look_at_bytes(g.init);
    }
    for (const ThreadLocal& t : program_.thread_locals) {
        look_at_bytes(t.init);
    }
    for (std::size_t f = 0; f < addressed.size(); ++f) {
        if (addressed[f]) {
            addressed_.push_back(f);
        }
    }
}

const std::vector<bool>& Futures::relevant(const Function& function) {
    auto& known = relevant_[&function];
    if (known.size() == function.slots) {
        return known;
    }
    known.assign(function.slots, false);
    const auto list = [&](std::uint32_t first, std::uint32_t count) {
        for (std::uint32_t k = 0; k < count; ++k) {
            known[function.operands[first + k]] = true;
        }
    };
    for (bool grown = true; grown;) {
        grown = false;
        for (const Instr& i : function.code) {
            const SlotUses uses = slot_uses(i);
            bool wanted = false; // does somebody want to know what it computes?
            for (const SlotUse& use : uses.all()) {
                for (unsigned k = 0; use.writes && k < use.count; ++k) {
                    wanted = wanted || known[slot_in(i, use.field) + k];
                }
            }
            for (const SlotUse& use : uses.all()) {
                const bool address = use.field == SlotField::A &&
                                     (i.op == Op::Load || i.op == Op::Store || i.op == Op::Rmw || i.op == Op::CmpXchg ||
                                      i.op == Op::MemCpy || i.op == Op::MemMove || i.op == Op::MemSet || i.op == Op::CallPtr);
                const bool source = use.field == SlotField::B && (i.op == Op::MemCpy || i.op == Op::MemMove);
                const bool computes = wanted && i.op != Op::Load && i.op != Op::Rmw && i.op != Op::CmpXchg;
                for (unsigned k = 0; !use.writes && (address || source || computes) && k < use.count; ++k) {
                    grown = grown || !known[slot_in(i, use.field) + k];
                    known[slot_in(i, use.field) + k] = true;
                }
            }
        }
        for (const Instr& i : function.code) {
            if (i.op == Op::Call || i.op == Op::Builtin || i.op == Op::Ret) {
                list(i.y(), i.a);
            } else if (i.op == Op::CallPtr) {
                list(i.y(), i.b);
            }
        }
    }
    return known;
}

/// Which made or private object a register points to makes no difference; and a large number is hardly an index of which much could be known.
Word Futures::seed(std::uint64_t value) const {
    constexpr std::uint64_t kSmall = 64;
    if (escaping_.hidden) { // it may be an address in disguise, whatever it looks like
        Word word = blurred(cells_, Word::known(value));
        word.unknown = true;
        return word;
    }
    switch (kind_of(without_tag(value))) {
    case AddressKind::Heap:
    case AddressKind::Stack:
        return Word::to_made();
    case AddressKind::Local:
    case AddressKind::Block:
        return Word::number();
    case AddressKind::Nothing:
        return value < kSmall ? Word::known(value) : Word::number();
    default:
        return Word::known(value);
    }
}

const Future& Futures::of(const ThreadState& thread, Barred barred) {
    Key key{barred.value_or(kUnbarred), thread.memory->stack.empty() ? 0u : 1u, thread.exiting ? 1u : 0u};
    for (const Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        const bool top = f == thread.top.raw();
        key.push_back(std::uint64_t{static_cast<std::uint32_t>(f->function - program_.functions.data())} << 32 | f->pc);
        const auto& wanted = relevant(*f->function);
        for (const Slot s : live_.before(*f->function, top ? f->pc : f->pc + 1).slots) {
            if (wanted[s]) {
                append(key, seed(f->slots()[s]));
            }
        }
    }
    auto& known = threads_[key];
    if (!known) {
        known = std::make_unique<Future>(rest(thread, barred));
    }
    return *known;
}

Future Futures::rest(const ThreadState& thread, Barred barred) {
    Future all;
    if (!thread.memory->stack.empty() || thread.exiting) {
        all.writes.add(Cells::kMade); // its frames end what they have made
    }
    const Frame* callee = nullptr;
    for (const Frame* f = thread.top.raw(); f; callee = f, f = f->parent.raw()) {
        const Function& function = *f->function;
        const std::uint32_t pc = callee ? f->pc + 1 : f->pc;
        Walk walk(*this, function, barred);
        const auto& wanted = relevant(function);
        for (const Slot s : live_.before(function, pc).slots) {
            const bool result = callee && callee->result_slot != kNoSlot && s >= callee->result_slot &&
                                s < std::uint32_t{callee->result_slot} + callee->result_count;
            walk.set(s, result || !wanted[s] ? Word::from_memory() : seed(f->slots()[s]));
        }
        const Future here = walk.from(pc);
        all.add(here);
        if (!here.returns) {
            break;
        }
    }
    return all;
}

Future Futures::everything() const {
    Future all;
    for (std::size_t k = 0; k < cells_.count(); ++k) {
        all.reads.add(k);
        all.writes.add(k);
    }
    all.plain_reads = all.reads;
    all.plain_writes = all.writes;
    all.returns = true;
    all.result = Word::from_memory();
    for (std::size_t g = 0; g < program_.first_constant_global; ++g) {
        all.result.globals.add(g);
    }
    return all;
}

const Future& Futures::call(std::size_t function, std::vector<Word> arguments, Barred barred) {
    const Function& callee = program_.functions[function];
    arguments.resize(callee.params, Word::from_memory());
    const unsigned variants = variants_[function];
    Key key{function, barred.value_or(kUnbarred)};
    for (Word& w : arguments) {
        w = variants < kManyVariants ? w : blurred(cells_, w);
        append(key, w);
    }
    const auto [it, fresh] = calls_.try_emplace(std::move(key));
    if (!fresh && it->second) {
        return *it->second;
    }
    if (!fresh || variants > 2 * kManyVariants) { // it calls itself, or there is no end of it
        static constexpr std::uint64_t kNobody = ~std::uint64_t{0};
        auto& all = calls_[Key{kNobody}];
        if (!all) {
            all = std::make_unique<Future>(everything());
        }
        return *all;
    }
    ++variants_[function];
    Walk walk(*this, callee, barred);
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        walk.set(static_cast<Slot>(k), arguments[k]);
    }
    auto found = std::make_unique<Future>(walk.from(0));
    it->second = std::move(found);
    return *it->second;
}

void Futures::call_unknown(std::size_t arguments, Barred barred, Future& into) {
    for (const std::size_t f : addressed_) {
        if (program_.functions[f].params == arguments || program_.functions[f].variadic) {
            into.add(call(f, {}, barred));
        }
    }
}

void Futures::add_cells(const Word& pointer, std::uint64_t size, NumberSet& to) const {
    if (pointer.exact) {
        cells_.add(pointer.value, size, to);
        return;
    }
    if (pointer.unknown) {
        to.add(unknown_);
    }
    if (pointer.made) {
        to.add(Cells::kMade);
    }
    pointer.globals.for_each([&](std::size_t g) { cells_.add_global(g, to); });
}

Word Futures::loaded(const Word& pointer, unsigned size, unsigned width) const {
    if (size > 8 || pointer.unknown || pointer.made) {
        return Word::from_memory();
    }
    const Word where = blurred(cells_, pointer);
    std::vector<std::size_t> globals;
    where.globals.for_each([&](std::size_t g) { globals.push_back(g); });
    if (globals.size() != 1 || initial_[globals[0]].empty()) {
        return Word::from_memory();
    }
    const auto& bytes = initial_[globals[0]];
    NumberSet cells;
    add_cells(pointer, size, cells);
    if (!is_constant(cells)) {
        return Word::from_memory();
    }
    if (!pointer.exact) {
        const bool zero = std::ranges::all_of(bytes, [](std::uint8_t b) { return b == 0; });
        return zero ? Word::known(0) : Word::from_memory();
    }
    const std::uint64_t offset = pointer.value - program_.globals[globals[0]].address;
    if (offset > bytes.size() || offset + size > bytes.size()) {
        return Word::from_memory();
    }
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + offset, size);
    return Word::known(word & mask_of_bits(width));
}

} // namespace heddle::stateful
