// Which loops the machine is told about, by an Op::Loop at their head: those of the user's code that may go on for longer than anybody knows
// beforehand. Not told about are
//   - loops whose number of iterations is a constant or follows from the function's arguments: they are meant to run to their end, as the one
//     with which main makes its threads;
//   - loops that do nothing that others can see and that certainly end: they are mere computation, and counting them costs time.
//
// LLVM's cycles are nested and every closed path goes through the header of one of them, also where the control flow is irreducible (gotos into
// a loop); so one Op::Loop a cycle, at its header, is executed in every round of whatever goes round.
#include "frontend/clang/loop_analysis.hpp"
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>

namespace heddle::clang_frontend {

namespace {

/// A local variable in the frame, or a part of one: reading or writing it is nobody else's business.
bool is_in_frame(FunctionContext& to, const llvm::Value& pointer) {
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(&pointer));
    return variable && to.local_of(*variable);
}

bool may_act(FunctionContext& to, const llvm::Instruction& instruction) {
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        return !is_in_frame(to, *load->getPointerOperand());
    }
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        return !is_in_frame(to, *store->getPointerOperand());
    }
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
        return !intrinsic->isAssumeLikeIntrinsic() && !intrinsic->doesNotAccessMemory();
    }
    return llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::AllocaInst>(instruction) ||
           instruction.mayReadOrWriteMemory();
}

bool acts(FunctionContext& to, const llvm::Cycle& cycle) {
    return llvm::any_of(cycle.blocks(), [&](const llvm::BasicBlock* block) {
        return llvm::any_of(*block, [&](const llvm::Instruction& instruction) { return may_act(to, instruction); });
    });
}

/// The place of the `for`, `while` or `do`, as clang notes it; else of the first thing that the head does.
PlaceId place_of(FunctionContext& to, const llvm::BasicBlock& header, const llvm::Loop* loop) {
    if (const llvm::MDNode* notes = loop ? loop->getLoopID() : nullptr) {
        for (const llvm::MDOperand& note : notes->operands()) {
            if (const auto* location = llvm::dyn_cast<llvm::DILocation>(note.get())) {
                return to.module.places.of(location);
            }
        }
    }
    for (const llvm::Instruction& instruction : header) {
        if (const PlaceId place = to.module.places.of(instruction.getDebugLoc().get()); place != PlaceId{0}) {
            return place;
        }
    }
    return to.result.place;
}

void add_loop(FunctionContext& to, LoopAnalysis& analysis, const llvm::Cycle& cycle) {
    const llvm::BasicBlock& header = *cycle.getHeader();
    llvm::Loop* loop = analysis.loop_at(header); // none: the cycle is irreducible
    const bool acting = acts(to, cycle);
    if (loop && (analysis.iterations_known(*loop) || (!acting && analysis.certainly_ends(*loop)))) {
        return;
    }
    LoopHeads::Head head{.block = &header,
                         .body = {},
                         .counter = to.slots.permanent(1),
                         .index = static_cast<std::uint32_t>(to.result.loops.size())};
    head.body.insert(cycle.block_begin(), cycle.block_end());
    to.loops.add(std::move(head));
    to.result.loops.push_back({.place = place_of(to, header, loop), .acts = acting, .live = {}, .live_locals = {}});
}

void add_loops(FunctionContext& to, LoopAnalysis& analysis, const llvm::Cycle& cycle) {
    add_loop(to, analysis, cycle);
    for (const llvm::Cycle* inner : cycle.children()) {
        add_loops(to, analysis, *inner);
    }
}

} // namespace

void find_loops(FunctionContext& to) {
    if (to.result.runtime) {
        return;
    }
    auto& function = const_cast<llvm::Function&>(to.source); // LLVM's signature; analyses only look
    llvm::CycleInfo cycles;
    cycles.compute(function);
    if (cycles.toplevel_cycles().empty()) {
        return;
    }
    LoopAnalysis analysis(function);
    for (const llvm::Cycle* cycle : cycles.toplevel_cycles()) {
        add_loops(to, analysis, *cycle);
    }
}

void lower_loop_head(FunctionContext& to, const llvm::BasicBlock& block) {
    if (const LoopHeads::Head* head = to.loops.at(block)) {
        to.code.emit_at(to.result.loops[head->index].place, Instr{Op::Loop, head->counter, 0, 0, head->index});
    }
}

} // namespace heddle::clang_frontend
