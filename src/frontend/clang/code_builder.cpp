#include "frontend/clang/code_builder.hpp"

#include "program/slot_uses.hpp"
#include "program/targets.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

void CodeBuilder::emit(const Instr& instr) {
    code_.push_back(instr);
    places_.push_back(place_);
}

void CodeBuilder::emit_at(PlaceId place, const Instr& instr) {
    code_.push_back(instr);
    places_.push_back(place);
}

std::uint32_t CodeBuilder::list(llvm::ArrayRef<Slot> slots) {
    const auto first = static_cast<std::uint32_t>(operands_.size());
    operands_.insert(operands_.end(), slots.begin(), slots.end());
    return first;
}

Label CodeBuilder::make_label() {
    labels_.push_back(0);
    return static_cast<Label>(labels_.size() - 1);
}

void CodeBuilder::put(Label label) {
    // A jump to the very next instruction is none. Labels that named it now name what follows, which is where it led.
    if (!code_.empty() && code_.back().op == Op::Jump && code_.back().imm == static_cast<std::uint64_t>(label)) {
        code_.pop_back();
        places_.pop_back();
    }
    labels_[static_cast<std::size_t>(label)] = static_cast<std::uint32_t>(code_.size());
}

void CodeBuilder::jump(Label target) { emit(Op::Jump, 0, 0, 0, static_cast<std::uint64_t>(target)); }

void CodeBuilder::branch(Op op, Slot width, Slot a, Slot b, Label then, Label otherwise) {
    emit(op, width, a, b, Instr::pack(static_cast<std::uint32_t>(then), static_cast<std::uint32_t>(otherwise)));
}

void CodeBuilder::switch_on(Slot value, std::vector<std::pair<std::uint64_t, Label>> cases, Label otherwise) {
    std::ranges::sort(cases);
    Switch s;
    for (const auto& [number, label] : cases) {
        s.cases.push_back({number, static_cast<std::uint32_t>(label)});
    }
    s.otherwise = static_cast<std::uint32_t>(otherwise);
    emit(Op::Switch, 0, value, 0, switches_.size());
    switches_.push_back(std::move(s));
}

std::uint32_t CodeBuilder::target(std::uint64_t label) const {
    std::uint32_t at = labels_[label];
    // Bounded: an empty endless loop is a jump to itself.
    for (int steps = 0; steps < 8 && code_[at].op == Op::Jump; ++steps) {
        at = labels_[code_[at].imm];
    }
    return at;
}

void CodeBuilder::finish(SlotAllocator& slots, Function& function) {
    std::vector<Instr> finished = code_; // targets are found in code_, where they are still labels
    for (Instr& instr : finished) {
        for (const SlotUse& use : slot_uses(instr).all()) {
            set_slot_in(instr, use.field, slots.packed(slot_in(instr, use.field)));
        }
        if (instr.op == Op::Call && instr.dst != kNoSlot) {
            instr.dst = slots.packed(instr.dst);
        }
    }
    map_targets(finished, switches_, [this](std::uint64_t label) { return target(label); });
    for (Slot& slot : operands_) {
        slot = slots.packed(slot);
    }
    function.code = std::move(finished);
    function.places = std::move(places_);
    function.operands = std::move(operands_);
    function.switches = std::move(switches_);
    function.first_constant = slots.first_packed_constant();
    function.constants = slots.take_constants();
    function.slots = static_cast<std::uint16_t>(function.first_constant + function.constants.size());
}

} // namespace heddle::clang_frontend
