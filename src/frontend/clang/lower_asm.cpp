// Inline assembly: the few forms that concurrent C programs use for fences and compiler barriers, of any architecture (the program chooses its
// memory model on the command line, not by its target). Everything else is unsupported, by its text.
#include "frontend/clang/idle_code.hpp"
#include "frontend/clang/lower.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/InlineAsm.h>

#include <vector>

namespace heddle::clang_frontend {

namespace {

struct AsmFence {
    FenceKind kind;
    bool full; ///< orders everything, as a seq_cst fence does
};

/// The instructions of an assembly text: lower case, single spaces, prefixes (lock, rep) joined with what follows them.
std::vector<std::string> instructions_of(llvm::StringRef text) {
    std::string plain = text.lower();
    for (std::size_t at = 0; (at = plain.find("$$", at)) != std::string::npos; ++at) {
        plain.erase(at, 1); // LLVM's way to write a dollar sign
    }
    llvm::SmallVector<llvm::StringRef, 4> parts;
    llvm::SplitString(plain, parts, ";\n");
    std::vector<std::string> result;
    std::string prefix;
    for (const llvm::StringRef part : parts) {
        llvm::SmallVector<llvm::StringRef, 4> words;
        llvm::SplitString(part, words, " \t\r\v\f");
        const std::string instruction = llvm::join(words, " ");
        if (instruction.empty() || instruction.front() == '#') {
            continue;
        }
        if (instruction == "lock" || instruction == "rep") {
            prefix = instruction + " ";
            continue;
        }
        result.push_back(prefix + instruction);
        prefix.clear();
    }
    if (!prefix.empty()) {
        result.push_back(prefix);
    }
    return result;
}

/// A locked read-modify-write of the stack that changes nothing: the traditional full fence of x86.
bool is_locked_nothing(llvm::StringRef text) {
    return text.consume_front("lock ") && (text.consume_front("add") || text.consume_front("or")) &&
           (text.consume_front("l ") || text.consume_front("q ")) && (text.consume_front("$0x0") || text.consume_front("$0")) &&
           (text.starts_with(",") || text.starts_with(" ")) && text.ends_with("sp)");
}

std::optional<AsmFence> arm_fence(llvm::StringRef text) {
    const bool dsb = text.starts_with("dsb");
    if (!text.consume_front("dmb") && !text.consume_front("dsb")) {
        return std::nullopt;
    }
    text = text.trim();
    for (const char* domain : {"ish", "osh", "nsh"}) {
        if (text.consume_front(domain)) {
            break;
        }
    }
    if (text.empty() || text == "sy") {
        return AsmFence{dsb ? FenceKind::DsbSy : FenceKind::DmbSy, true};
    }
    if (text == "st") {
        return AsmFence{dsb ? FenceKind::DsbSt : FenceKind::DmbSt, false};
    }
    if (text == "ld") {
        return AsmFence{dsb ? FenceKind::DsbLd : FenceKind::DmbLd, false};
    }
    return std::nullopt;
}

std::optional<AsmFence> fence_of(llvm::StringRef text) {
    if (is_locked_nothing(text)) {
        return AsmFence{FenceKind::MFence, true};
    }
    if (const auto fence = arm_fence(text)) {
        return fence;
    }
    return llvm::StringSwitch<std::optional<AsmFence>>(text)
        .Case("mfence", AsmFence{FenceKind::MFence, true})
        .Case("lfence", AsmFence{FenceKind::LFence, false})
        .Case("sfence", AsmFence{FenceKind::SFence, false})
        .Cases("sync", "hwsync", AsmFence{FenceKind::Sync, true})
        .Case("lwsync", AsmFence{FenceKind::LwSync, false})
        .Case("isync", AsmFence{FenceKind::ISync, false})
        .Case("eieio", AsmFence{FenceKind::EIEIO, false})
        .Cases("isb", "isb sy", AsmFence{FenceKind::Isb, false})
        .Default(std::nullopt);
}

bool is_pause(llvm::StringRef text) { return text == "pause" || text == "rep nop" || text == "yield"; }

bool is_known(llvm::StringRef text) { return text == "nop" || is_pause(text) || fence_of(text).has_value(); }

void emit_instruction(FunctionContext& to, llvm::StringRef text) {
    if (const auto fence = fence_of(text)) {
        const Order order = fence->full ? Order::SeqCst : Order::NonAtomic;
        to.code.emit(Op::Fence, 0, 0, 0,
                     Instr::pack(static_cast<std::uint16_t>(order), static_cast<std::uint16_t>(fence->kind), 0, 0));
    } else if (is_pause(text)) {
        to.code.emit(Op::Builtin, kNoSlot, 0, 0, Instr::pack(static_cast<std::uint32_t>(Builtin::Yield), to.code.list({})));
    }
}

/// The values of register outputs: each the input that it is tied to, as in asm("" : "+r"(x)). Nothing when one is not tied.
std::optional<Slots> tied_outputs(FunctionContext& to, const llvm::CallBase& call,
                                  const llvm::InlineAsm::ConstraintInfoVector& constraints) {
    std::vector<int> argument_of(constraints.size(), -1); // of each constraint
    int next = 0;
    for (const auto& [i, constraint] : llvm::enumerate(constraints)) {
        const bool takes = constraint.Type == llvm::InlineAsm::isInput ||
                           (constraint.Type == llvm::InlineAsm::isOutput && constraint.isIndirect);
        if (takes) {
            argument_of[i] = next++;
        }
    }
    Slots values;
    for (const llvm::InlineAsm::ConstraintInfo& constraint : constraints) {
        if (constraint.Type != llvm::InlineAsm::isOutput || constraint.isIndirect) {
            continue;
        }
        if (!constraint.hasMatchingInput()) {
            return std::nullopt;
        }
        const int argument = argument_of[static_cast<std::size_t>(constraint.MatchingInput)];
        values.append(to.operand(*call.getArgOperand(static_cast<unsigned>(argument))));
    }
    return values;
}

} // namespace

bool is_pausing_assembly(const llvm::CallBase& call) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    return llvm::all_of(instructions_of(assembly->getAsmString()),
                        [](const std::string& instruction) { return instruction == "nop" || is_pause(instruction); });
}

void lower_asm(FunctionContext& to, const llvm::CallBase& call) {
    const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
    const std::string text = llvm::StringRef(assembly->getAsmString()).trim().str();
    const std::vector<std::string> instructions = instructions_of(text);
    const auto refuse = [&] { lower_unsupported(to, call, "inline assembly \"" + text + "\""); };
    if (!llvm::all_of(instructions, is_known)) {
        return refuse();
    }
    if (!call.getType()->isVoidTy()) {
        const auto values = tied_outputs(to, call, assembly->ParseConstraints());
        if (!values || values->size() != to.shape(call).slots) {
            return refuse();
        }
        to.rename(call, *values);
    }
    // Nothing left to emit for a compiler barrier: this compiler reorders nothing.
    for (const std::string& instruction : instructions) {
        emit_instruction(to, instruction);
    }
}

} // namespace heddle::clang_frontend
