#include "frontend/litmus/thread_builder.hpp"

#include "program/slot_uses.hpp"
#include "support/check.hpp"

namespace heddle::litmus {

namespace {

std::uint16_t u16(unsigned n) { return static_cast<std::uint16_t>(n); }

bool is_jump(Op op) { return op == Op::Jump || op == Op::Br; }

} // namespace

ThreadBuilder::ThreadBuilder(std::string name, std::uint16_t params, unsigned unroll) : unroll_(unroll), next_(params) {
    function_.name = std::move(name);
    function_.params = params;
    // The values of variables are set behind the code, when all of them are known, and the code is entered through there.
    jump(label());
}

Slot ThreadBuilder::slot(unsigned n) {
    const Slot s = next_;
    next_ = u16(next_ + n);
    HEDDLE_CHECK(next_ < kConstantBase, "a litmus thread needs too many slots");
    return s;
}

Slot ThreadBuilder::constant(std::uint64_t value) {
    const auto [it, fresh] = constants_.try_emplace(value, u16(static_cast<unsigned>(kConstantBase + constants_.size())));
    if (fresh) {
        function_.constants.push_back(value);
    }
    return it->second;
}

Slot ThreadBuilder::variable(std::uint64_t value) {
    const Slot s = slot();
    variables_.emplace_back(s, value);
    return s;
}

void ThreadBuilder::emit(Op op, Slot dst, Slot a, Slot b, std::uint64_t imm) {
    function_.code.push_back({op, dst, a, b, imm});
    function_.places.push_back(place_);
}

Slot ThreadBuilder::compute(Op op, Slot a, Slot b, std::uint64_t imm) {
    const Slot dst = slot();
    emit(op, dst, a, b, imm);
    return dst;
}

Slot ThreadBuilder::load(Slot address, unsigned bytes, std::uint16_t flags) {
    return compute(Op::Load, address, 0, Instr::pack(u16(bytes), flags, u16(bytes * 8), 0));
}

void ThreadBuilder::store(Slot address, Slot value, unsigned bytes, std::uint16_t flags) {
    emit(Op::Store, 0, address, value, Instr::pack(u16(bytes), flags, 0, 0));
}

Slot ThreadBuilder::update(Slot address, Slot operand, unsigned bytes, RmwOp op, std::uint16_t flags) {
    return compute(Op::Rmw, address, operand, Instr::pack(u16(bytes), flags, u16(static_cast<unsigned>(op)), 0));
}

Slot ThreadBuilder::compare_exchange(Slot address, Slot expected, Slot desired, unsigned bytes, std::uint16_t flags,
                                     Order failure) {
    const Slot old = slot(2);
    emit(Op::CmpXchg, old, address, expected, Instr::pack(desired, flags, u16(bytes), u16(static_cast<unsigned>(failure))));
    return old;
}

void ThreadBuilder::fence(Order order, FenceKind kind) {
    if (is_full(kind)) {
        order = Order::SeqCst; // for models that speak of C11's orders
    }
    emit(Op::Fence, 0, 0, 0, Instr::pack(u16(static_cast<unsigned>(order)), u16(static_cast<unsigned>(kind)), 0, 0));
}

std::uint32_t ThreadBuilder::operands(std::initializer_list<Slot> slots) {
    const auto at = static_cast<std::uint32_t>(function_.operands.size());
    function_.operands.insert(function_.operands.end(), slots);
    return at;
}

Slot ThreadBuilder::builtin(Builtin id, std::initializer_list<Slot> arguments) {
    return compute(Op::Builtin, u16(static_cast<unsigned>(arguments.size())), 0,
                   Instr::pack(static_cast<std::uint32_t>(id), operands(arguments)));
}

Slot ThreadBuilder::call_pointer(Slot function, std::initializer_list<Slot> arguments, unsigned results) {
    const Slot dst = slot(results == 0 ? 1 : results);
    emit(Op::CallPtr, dst, function, u16(static_cast<unsigned>(arguments.size())), Instr::pack(results, operands(arguments)));
    return dst;
}

void ThreadBuilder::ret(std::initializer_list<Slot> results) {
    function_.results = u16(static_cast<unsigned>(results.size()));
    emit(Op::Ret, 0, function_.results, 0, Instr::pack(std::uint32_t{0}, operands(results)));
}

Slot ThreadBuilder::control_mark() {
    const Slot mark = slot();
    emit(Op::ControlMark, mark, 0, 0, 0);
    return mark;
}

ThreadBuilder::Label ThreadBuilder::label() {
    labels_.emplace_back();
    return static_cast<Label>(labels_.size() - 1);
}

void ThreadBuilder::bind(Label label) {
    HEDDLE_CHECK(!labels_[label].at, "a label is bound twice");
    labels_[label].at = static_cast<std::uint32_t>(function_.code.size());
}

void ThreadBuilder::go_to(Label to) { emit(Op::Jump, 0, 0, 0, to); }

void ThreadBuilder::count_backward_jump(Target& target) {
    if (!target.jumps_back) {
        target.jumps_back = variable(0);
    }
    const Slot counter = *target.jumps_back;
    const Slot bound = constant(unroll_);
    builtin(Builtin::Assume, {compute(Op::CmpUlt, counter, bound, 64)});
    emit(Op::Add, counter, counter, constant(1), ~std::uint64_t{0});
}

void ThreadBuilder::jump(Label to) {
    if (labels_[to].at) {
        count_backward_jump(labels_[to]);
    }
    go_to(to);
}

void ThreadBuilder::branch(Slot condition, Label to) {
    // Always through a block of its own: it is where a jump back is counted.
    const Label taken = label();
    const Label next = label();
    emit(Op::Br, 0, condition, 0, Instr::pack(taken, next));
    bind(taken);
    jump(to);
    bind(next);
}

void ThreadBuilder::resolve_labels() {
    const auto resolve = [this](std::uint32_t label) {
        HEDDLE_CHECK(labels_[label].at, "a jump to a label that is nowhere");
        return *labels_[label].at;
    };
    for (Instr& i : function_.code) {
        if (is_jump(i.op)) {
            i.imm = i.op == Op::Jump ? resolve(i.x()) : Instr::pack(resolve(i.x()), resolve(i.y()));
        }
    }
}

void ThreadBuilder::place_constants() {
    const auto place = [this](Slot s) { return s >= kConstantBase && s != kNoSlot ? u16(next_ + (s - kConstantBase)) : s; };
    for (Instr& i : function_.code) {
        for (const SlotUse& use : slot_uses(i).all()) {
            set_slot_in(i, use.field, place(slot_in(i, use.field)));
        }
    }
    for (Slot& s : function_.operands) {
        s = place(s);
    }
    function_.first_constant = next_;
    function_.slots = u16(static_cast<unsigned>(next_ + function_.constants.size()));
}

Function ThreadBuilder::finish() {
    bind(0);
    for (const auto& [s, value] : variables_) {
        move(s, constant(value));
    }
    const Label entry = label();
    labels_[entry].at = 1;
    go_to(entry);
    resolve_labels();
    place_constants();
    return std::move(function_);
}

} // namespace heddle::litmus
