#include "frontend/clang/function_context.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IntrinsicInst.h>

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

/// Larger private variables become objects of their own: a frame is copied often.
constexpr std::uint64_t kMaxLocalSize = 1024;
/// And so does every further one when a function has many.
constexpr std::uint64_t kMaxLocalBytes = 16384;

const llvm::DILocalVariable* variable_of(const llvm::AllocaInst& variable) {
    auto* value = const_cast<llvm::AllocaInst*>(&variable); // LLVM's signature; it only looks
    for (const llvm::DbgVariableRecord* record : llvm::findDVRDeclares(value)) {
        return record->getVariable();
    }
    for (const llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(value)) {
        return declare->getVariable();
    }
    return nullptr;
}

std::string name_of(const llvm::DILocalVariable* variable) { return variable ? variable->getName().str() : ""; }

/// Whether all uses are in the block of the definition; a phi uses its operand at the end of the block it comes from.
bool used_only_at_home(const llvm::Instruction& value) {
    return llvm::all_of(value.uses(), [&](const llvm::Use& use) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        if (const auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) {
            return phi->getIncomingBlock(use) == value.getParent();
        }
        return user->getParent() == value.getParent();
    });
}

} // namespace

FunctionContext::FunctionContext(ModuleContext& module_context, const llvm::Function& function)
    : module(module_context), source(function) {
    result.name = Places::name_of(function);
    result.place = module.places.of(function);
    result.variadic = function.isVarArg();
    result.runtime = module.globals.is_runtime(function);
    result.results = static_cast<std::uint16_t>(module.shapes.of(function.getReturnType()).slots);
    code.set_place(result.place);
    add_parameters();
    if (!function.isDeclaration()) {
        add_locals();
        count_uses();
    }
}

void FunctionContext::add_parameters() {
    unsigned params = 0;
    for (const llvm::Argument& parameter : source.args()) {
        const unsigned count = shape(parameter).slots;
        const Slot first = slots.permanent(count);
        Slots& list = values_[&parameter];
        for (unsigned k = 0; k < count; ++k) {
            list.push_back(static_cast<Slot>(first + k));
        }
        params += count;
    }
    if (source.isVarArg()) {
        slots.permanent(1);
        ++params;
    }
    result.params = static_cast<std::uint16_t>(params);
}

void FunctionContext::add_locals() {
    for (const llvm::Instruction& instruction : source.getEntryBlock()) {
        const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        if (!variable || !variable->isStaticAlloca()) {
            continue;
        }
        const auto size = variable->getAllocationSize(module.layout);
        if (size && !size->isScalable() && size->getFixedValue() <= kMaxLocalSize && variable->getAlign().value() <= kMaxAlign &&
            result.local_bytes < kMaxLocalBytes && !module.escape.escapes(*variable)) {
            locals_[variable] = add_local(name_of(variable_of(*variable)), size->getFixedValue(), variable->getAlign().value());
        }
    }
}

std::uint32_t FunctionContext::add_local(std::string name, std::uint64_t size, std::uint64_t align) {
    const std::uint64_t inner =
        std::min<std::uint64_t>(align, 16); // of the bytes in the frame; addresses have the full alignment
    const auto offset = static_cast<std::uint32_t>((result.local_bytes + inner - 1) / inner * inner);
    result.locals.push_back({.name = std::move(name),
                             .size = static_cast<std::uint32_t>(size),
                             .align = static_cast<std::uint32_t>(align),
                             .offset = offset,
                             .region = result.local_regions});
    result.local_bytes = offset + static_cast<std::uint32_t>(size);
    result.local_regions += static_cast<std::uint32_t>(span_of(size, align).regions);
    return static_cast<std::uint32_t>(result.locals.size() - 1);
}

std::uint32_t FunctionContext::argument_area(std::uint32_t size) {
    // One a size, shared by all calls with that size: reading an argument too many then leaves the object instead of finding what an
    // earlier call left.
    const auto [known, fresh] = argument_areas_.try_emplace(size, 0);
    if (fresh) {
        known->second = add_local("unnamed arguments", size, 16);
    }
    return known->second;
}

std::uint16_t FunctionContext::add_variable(const llvm::AllocaInst& variable) {
    constexpr std::size_t kMostNames = 0xffff;
    if (result.variables.empty()) {
        result.variables.push_back({.name = "", .layout = result.runtime ? module.types.opaque(PartOwner::Runtime) : LayoutId{}});
    }
    const llvm::DILocalVariable* source_variable = variable_of(variable);
    if (result.runtime || name_of(source_variable).empty() || result.variables.size() > kMostNames) {
        return 0;
    }
    result.variables.push_back({.name = name_of(source_variable), .layout = module.types.layout(source_variable->getType())});
    return static_cast<std::uint16_t>(result.variables.size() - 1);
}

const std::uint32_t* FunctionContext::local_of(const llvm::AllocaInst& variable) const {
    const auto found = locals_.find(&variable);
    return found == locals_.end() ? nullptr : &found->second;
}

void FunctionContext::count_uses() {
    for (const llvm::BasicBlock& block : source) {
        for (const llvm::Instruction& instruction : block) {
            if (instruction.getType()->isVoidTy()) {
                continue;
            }
            if (llvm::isa<llvm::PHINode>(instruction)) {
                // Written at the ends of other blocks.
                define(instruction);
            } else if (used_only_at_home(instruction)) {
                uses_left_[&instruction] = instruction.getNumUses();
            }
        }
    }
}

// --- values ---

Slot FunctionContext::define(const llvm::Instruction& instruction) {
    if (const auto coalesced = coalesced_.find(&instruction); coalesced != coalesced_.end()) {
        values_[&instruction] = values_.lookup(coalesced->second);
        return values_[&instruction].front();
    }
    const unsigned count = shape(instruction).slots;
    const Slot first = uses_left_.contains(&instruction) ? slots.temporary(count) : slots.permanent(count);
    Slots& list = values_[&instruction];
    list.clear();
    for (unsigned k = 0; k < count; ++k) {
        list.push_back(static_cast<Slot>(first + k));
    }
    return first;
}

void FunctionContext::rename(const llvm::Instruction& instruction, llvm::ArrayRef<Slot> same) {
    const bool outlives_block = !uses_left_.contains(&instruction);
    if (outlives_block && std::ranges::any_of(same, SlotAllocator::is_temporary)) {
        const Slots from(same.begin(), same.end());
        copy_to(define(instruction), from);
        return;
    }
    for (const Slot slot : same) {
        slots.retain(slot);
    }
    values_[&instruction] = Slots(same.begin(), same.end());
}

void FunctionContext::copy_to(Slot first, llvm::ArrayRef<Slot> from) {
    for (std::size_t k = 0; k < from.size(); ++k) {
        code.emit(Op::Mov, static_cast<Slot>(first + k), from[k]);
    }
}

Slots FunctionContext::operand(const llvm::Value& value) {
    if (const auto* constant_value = llvm::dyn_cast<llvm::Constant>(&value)) {
        return constant_operand(*constant_value);
    }
    if (value.getType()->isPointerTy() && (llvm::isa<llvm::AllocaInst>(value) || llvm::isa<llvm::GetElementPtrInst>(value))) {
        if (const auto byte = local_byte(value)) {
            return {local_address(*byte)};
        }
    }
    const auto found = values_.find(&value);
    HEDDLE_CHECK(found != values_.end(), "a value is used before it is lowered, in " + source.getName().str());
    return found->second;
}

Slot FunctionContext::single(const llvm::Value& value) {
    const Slots list = operand(value);
    HEDDLE_CHECK(list.size() == 1, "a value of one slot expected, in " + source.getName().str());
    return list.front();
}

Slots FunctionContext::constant_operand(const llvm::Constant& value) {
    Slots list;
    append_constant(value, list);
    return list;
}

void FunctionContext::append_undefined(llvm::Type* type, Slots& out) {
    for (const Leaf& leaf : module.shapes.of(type).leaves) {
        const Slot first = scratch(leaf.slots());
        for (unsigned k = 0; k < leaf.slots(); ++k) {
            const auto slot = static_cast<Slot>(first + k);
            code.emit(Op::Undef, slot);
            if (leaf.bits_of_slot(k) < 64) {
                // The bits above the width are zero, and defined, as those of any narrow value.
                code.emit(Op::Trunc, slot, slot, 0, mask_of(leaf.bits_of_slot(k)));
            }
            out.push_back(slot);
        }
    }
}

void FunctionContext::append_constant(const llvm::Constant& value, Slots& out) {
    llvm::Type* type = value.getType();
    if (llvm::isa<llvm::UndefValue>(value)) {
        return append_undefined(type, out);
    }
    if (type->isStructTy() || type->isArrayTy() || type->isVectorTy()) {
        const auto count = type->isStructTy()  ? type->getStructNumElements()
                           : type->isArrayTy() ? type->getArrayNumElements()
                                               : llvm::cast<llvm::FixedVectorType>(type)->getNumElements();
        for (unsigned i = 0; i < count; ++i) {
            const llvm::Constant* element = value.getAggregateElement(i);
            if (!element) {
                unsupported("a constant expression that makes a vector");
                element = llvm::UndefValue::get(type->getContainedType(0));
            }
            append_constant(*element, out);
        }
        return;
    }
    if (const Leaf& leaf = module.shapes.of(type).leaves.front(); leaf.slots() > 1) {
        return append_wide_constant(value, leaf, out);
    }
    if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&value); variable && variable->isThreadLocal()) {
        out.push_back(thread_local_address(*variable));
        return;
    }
    const auto number = module.globals.evaluate(value);
    if (!number) {
        unsupported(number.error());
    }
    out.push_back(constant(number.value_or(0)));
}

void FunctionContext::append_wide_constant(const llvm::Constant& value, const Leaf& leaf, Slots& out) {
    llvm::APInt bits(leaf.slots() * 64, 0);
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
        bits = integer->getValue().zext(bits.getBitWidth());
    } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&value)) {
        bits = number->getValueAPF().bitcastToAPInt().zext(bits.getBitWidth());
    } else {
        unsupported("a constant expression of more than 64 bits");
    }
    if (leaf.slots() == 2) {
        const Slot pair = constant_pair(bits.extractBitsAsZExtValue(64, 0), bits.extractBitsAsZExtValue(64, 64));
        out.append({pair, static_cast<Slot>(pair + 1)});
        return;
    }
    for (unsigned k = 0; k < leaf.slots(); ++k) {
        out.push_back(constant(bits.extractBitsAsZExtValue(64, 64 * k)));
    }
}

Slot FunctionContext::thread_local_address(const llvm::GlobalVariable& variable) {
    if (variable.isDeclaration()) {
        unsupported("undefined variable '" + variable.getName().str() + "'");
        return constant(0);
    }
    const Slot slot = scratch();
    code.emit(Op::TlsAddr, slot, 0, 0, module.globals.thread_local_variable(variable));
    return slot;
}

Slot FunctionContext::scratch(unsigned count) {
    const Slot first = slots.temporary(count);
    for (unsigned k = 0; k < count; ++k) {
        scratch_.push_back(static_cast<Slot>(first + k));
    }
    return first;
}

Slot FunctionContext::compute(Op op, Slot a, Slot b, std::uint64_t imm, unsigned results) {
    const Slot dst = scratch(results);
    code.emit(op, dst, a, b, imm);
    return dst;
}

Slot FunctionContext::select(Slot condition, Slot then, Slot otherwise) {
    return compute(Op::Select, condition, then, Instr::pack(otherwise, 0, 0, 0));
}

// --- memory ---

std::optional<LocalByte> FunctionContext::local_byte(const llvm::Value& pointer) {
    if (!pointer.getType()->isPointerTy()) {
        return std::nullopt;
    }
    llvm::APInt offset(64, 0);
    const llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(module.layout, offset, /*AllowNonInbounds=*/true);
    const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(base);
    const std::uint32_t* local = variable ? local_of(*variable) : nullptr;
    if (!local || offset.ugt(result.locals[*local].size)) {
        return std::nullopt;
    }
    return LocalByte{*local, static_cast<std::uint32_t>(offset.getZExtValue())};
}

Slot FunctionContext::local_address(LocalByte byte) {
    const Slot slot = scratch();
    code.emit(Op::LocalAddr, slot, 0, 0, byte.local);
    if (byte.offset != 0) {
        code.emit(Op::PtrAdd, slot, slot, 0, byte.offset);
    }
    return slot;
}

MemoryPlace FunctionContext::place_of(const llvm::Value& pointer) {
    if (const auto byte = local_byte(pointer)) {
        return {.local = byte};
    }
    return {.local = std::nullopt, .base = single(pointer)};
}

Slot FunctionContext::address(const MemoryPlace& place, std::int64_t offset) {
    Slot base = place.base;
    if (place.local) {
        base = local_address({place.local->local, 0});
        offset += place.local->offset;
    }
    offset += place.offset;
    return offset == 0 ? base : compute(Op::PtrAdd, base, 0, static_cast<std::uint64_t>(offset));
}

void FunctionContext::load(Slot dst, const MemoryPlace& from, std::int64_t offset, unsigned bytes, unsigned bits,
                           std::uint16_t flags) {
    if (from.local && from.local->offset + offset + bytes <= result.locals[from.local->local].size) {
        // Nobody else sees it, so neither its order nor `volatile` matters.
        code.emit(Op::LoadLocal, dst, static_cast<Slot>(from.local->local), 0,
                  Instr::pack(static_cast<std::uint32_t>(from.local->offset + offset), bytes | (bits << 16)));
        return;
    }
    code.emit(Op::Load, dst, address(from, offset), 0,
              Instr::pack(static_cast<std::uint16_t>(bytes), flags, static_cast<std::uint16_t>(bits), 0));
}

void FunctionContext::store(Slot src, const MemoryPlace& to, std::int64_t offset, unsigned bytes, std::uint16_t flags) {
    if (to.local && to.local->offset + offset + bytes <= result.locals[to.local->local].size) {
        code.emit(Op::StoreLocal, 0, static_cast<Slot>(to.local->local), src,
                  Instr::pack(static_cast<std::uint32_t>(to.local->offset + offset), bytes | ((bytes * 8) << 16)));
        return;
    }
    code.emit(Op::Store, 0, address(to, offset), src, Instr::pack(static_cast<std::uint16_t>(bytes), flags, 0, 0));
}

// --- control ---

Label FunctionContext::label(const llvm::BasicBlock& block) {
    const auto found = labels_.find(&block);
    if (found != labels_.end()) {
        return found->second;
    }
    return labels_[&block] = code.make_label();
}

void FunctionContext::unsupported(const std::string& what) { code.emit(Op::Unsupported, 0, 0, 0, module.message(what)); }

void FunctionContext::release_use(const llvm::Value& value) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    const auto left = instruction ? uses_left_.find(instruction) : uses_left_.end();
    if (left == uses_left_.end() || --left->second != 0) {
        return;
    }
    if (const auto list = values_.find(&value); list != values_.end()) {
        for (const Slot slot : list->second) {
            slots.release(slot);
        }
    }
}

void FunctionContext::release_scratch() {
    for (const Slot slot : scratch_) {
        slots.release(slot);
    }
    scratch_.clear();
}

void FunctionContext::end(const llvm::Instruction& instruction) {
    if (!llvm::isa<llvm::PHINode>(instruction)) {
        for (const llvm::Value* operand_value : instruction.operand_values()) {
            release_use(*operand_value);
        }
    }
    if (const auto left = uses_left_.find(&instruction); left != uses_left_.end() && left->second == 0) {
        if (const auto list = values_.find(&instruction); list != values_.end()) {
            for (const Slot slot : list->second) {
                slots.release(slot);
            }
        }
    }
    release_scratch();
}

} // namespace heddle::clang_frontend
