#include "frontend/clang/lower.hpp"
#include "program/liveness.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/CFG.h>

namespace heddle::clang_frontend {

namespace {

/// The first type of the instruction that has no slots; empty: all have.
std::string unsupported_type(FunctionContext& to, const llvm::Instruction& instruction) {
    const Shape& own = to.shape(instruction);
    if (!own.supported()) {
        return own.unsupported;
    }
    for (const llvm::Value* operand : instruction.operand_values()) {
        const Shape& shape = to.shape(*operand);
        if (!shape.supported() && !operand->getType()->isMetadataTy() && !llvm::isa<llvm::InlineAsm>(operand)) {
            return shape.unsupported;
        }
    }
    return "";
}

/// Whether the instruction computes with an integer of more than 128 bits. Others only move it, as any list of slots.
bool works_on_huge(FunctionContext& to, const llvm::Instruction& instruction) {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Select:
    case llvm::Instruction::Freeze:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
    case llvm::Instruction::Call:
        return false;
    default:
        return to.shape(instruction).huge ||
               llvm::any_of(instruction.operand_values(), [&](const llvm::Value* operand) { return to.shape(*operand).huge; });
    }
}

/// Code without a result that anybody uses and without an effect: nothing needs to be done. Divisions stay, they may trap.
bool is_idle(const llvm::Instruction& instruction) {
    if (!instruction.use_empty()) {
        return false;
    }
    switch (instruction.getOpcode()) {
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp:
    case llvm::Instruction::Select:
    case llvm::Instruction::GetElementPtr:
    case llvm::Instruction::ExtractValue:
    case llvm::Instruction::InsertValue:
    case llvm::Instruction::ExtractElement:
    case llvm::Instruction::InsertElement:
    case llvm::Instruction::ShuffleVector:
        return true;
    default:
        return instruction.isCast();
    }
}

void lower_instruction(FunctionContext& to, const llvm::Instruction& instruction) {
    if (const std::string missing = unsupported_type(to, instruction); !missing.empty()) {
        return lower_unsupported(to, instruction, missing);
    }
    if (works_on_huge(to, instruction)) {
        return lower_huge(to, instruction);
    }
    if (instruction.isBinaryOp()) {
        return lower_binary(to, llvm::cast<llvm::BinaryOperator>(instruction));
    }
    if (instruction.isCast()) {
        return lower_cast(to, llvm::cast<llvm::CastInst>(instruction));
    }
    switch (instruction.getOpcode()) {
    case llvm::Instruction::FNeg:
        return lower_negation(to, llvm::cast<llvm::UnaryOperator>(instruction));
    case llvm::Instruction::ICmp:
    case llvm::Instruction::FCmp:
        return lower_compare(to, llvm::cast<llvm::CmpInst>(instruction));
    case llvm::Instruction::Select:
        return lower_select(to, llvm::cast<llvm::SelectInst>(instruction));
    case llvm::Instruction::Freeze:
        return lower_freeze(to, llvm::cast<llvm::FreezeInst>(instruction));
    case llvm::Instruction::ExtractValue:
        return lower_extract_value(to, llvm::cast<llvm::ExtractValueInst>(instruction));
    case llvm::Instruction::InsertValue:
        return lower_insert_value(to, llvm::cast<llvm::InsertValueInst>(instruction));
    case llvm::Instruction::ExtractElement:
        return lower_extract_element(to, llvm::cast<llvm::ExtractElementInst>(instruction));
    case llvm::Instruction::InsertElement:
        return lower_insert_element(to, llvm::cast<llvm::InsertElementInst>(instruction));
    case llvm::Instruction::ShuffleVector:
        return lower_shuffle(to, llvm::cast<llvm::ShuffleVectorInst>(instruction));
    case llvm::Instruction::Load:
        return lower_load(to, llvm::cast<llvm::LoadInst>(instruction));
    case llvm::Instruction::Store:
        return lower_store(to, llvm::cast<llvm::StoreInst>(instruction));
    case llvm::Instruction::AtomicRMW:
        return lower_rmw(to, llvm::cast<llvm::AtomicRMWInst>(instruction));
    case llvm::Instruction::AtomicCmpXchg:
        return lower_cmpxchg(to, llvm::cast<llvm::AtomicCmpXchgInst>(instruction));
    case llvm::Instruction::Fence:
        return lower_fence(to, llvm::cast<llvm::FenceInst>(instruction));
    case llvm::Instruction::Alloca:
        return lower_alloca(to, llvm::cast<llvm::AllocaInst>(instruction));
    case llvm::Instruction::GetElementPtr:
        return lower_gep(to, llvm::cast<llvm::GetElementPtrInst>(instruction));
    case llvm::Instruction::Call:
        return lower_call(to, llvm::cast<llvm::CallInst>(instruction));
    default:
        return lower_unsupported(to, instruction, std::string("instruction '") + instruction.getOpcodeName() + "'");
    }
}

void lower_block(FunctionContext& to, const llvm::BasicBlock& block) {
    to.code.put(to.label(block));
    lower_loop_head(to, block);
    for (const llvm::Instruction& instruction : block) {
        if (llvm::isa<llvm::PHINode>(instruction)) {
            continue;
        }
        // What has no place of its own stays with the one before: it is part of the same statement.
        if (const PlaceId place = to.module.places.of(instruction.getDebugLoc().get()); place != PlaceId{0}) {
            to.code.set_place(place);
        }
        if (is_fused(instruction)) {
            continue; // its operands are released with the branch
        }
        if (instruction.isTerminator()) {
            lower_terminator(to, instruction);
            continue;
        }
        if (!is_idle(instruction)) {
            lower_instruction(to, instruction);
        }
        to.end(instruction);
    }
}

/// The function consists of one Op::Unsupported.
heddle::Function unsupported_function(ModuleContext& module, const llvm::Function& function, const std::string& what) {
    FunctionContext to(module, function);
    to.unsupported(what);
    to.result.locals.clear();
    to.result.local_bytes = 0;
    to.result.local_regions = 0;
    SlotAllocator parameters_only;
    parameters_only.permanent(to.result.params);
    to.code.finish(parameters_only, to.result);
    return std::move(to.result);
}

std::string unsupported_signature(ModuleContext& module, const llvm::Function& function) {
    const Shape& result = module.shapes.of(function.getReturnType());
    if (!result.supported()) {
        return result.unsupported;
    }
    for (const llvm::Argument& parameter : function.args()) {
        if (const Shape& shape = module.shapes.of(parameter.getType()); !shape.supported()) {
            return shape.unsupported;
        }
    }
    return "";
}

} // namespace

heddle::Function lower_function(ModuleContext& module, const llvm::Function& function) {
    if (function.isDeclaration()) {
        // Its address was taken. Calling it through the pointer is what is not supported.
        return unsupported_function(module, function, "call of undefined function '" + function.getName().str() + "'");
    }
    if (const std::string missing = unsupported_signature(module, function); !missing.empty()) {
        return unsupported_function(module, function, missing);
    }
    FunctionContext to(module, function);
    coalesce_phis(to);
    find_loops(to);
    // Definitions come before uses in this order (phis apart), and blocks that cannot be reached do not come at all.
    for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<const llvm::Function*>(&function)) {
        lower_block(to, *block);
    }
    if (to.slots.exhausted() || to.result.locals.size() > 0xffff) {
        return unsupported_function(module, function,
                                    "function '" + to.result.name + "' is too large: it needs more than 65000 registers");
    }
    to.code.finish(to.slots, to.result);
    return std::move(to.result);
}

std::expected<Program, Diagnostic> lower_module(const LinkedModule& linked) {
    Program program;
    ModuleContext module(*linked.module, linked.written_by_user, program);
    program.start = module.globals.function(*linked.module->getFunction(kStartFunction));
    const llvm::Function* spawn = linked.module->getFunction("__heddle_spawn");
    const llvm::Function* thread_main = linked.module->getFunction(kThreadMainFunction);
    if (spawn && !spawn->use_empty() && thread_main && !thread_main->isDeclaration()) {
        program.thread_main = module.globals.function(*thread_main);
    }
    for (bool more = true; more;) {
        more = false;
        while (const llvm::Function* function = module.globals.next_function()) {
            // Ids are given in the order of the list, so this one's id is its position.
            program.functions.push_back(lower_function(module, *function));
            more = true;
        }
        const auto worked = module.globals.initialise();
        if (!worked) {
            return std::unexpected(worked.error());
        }
        more |= *worked;
    }
    module.globals.finish(program);
    find_what_loops_need(program);
    return program;
}

} // namespace heddle::clang_frontend
