#include "frontend/clang/globals.hpp"

#include <llvm/IR/GlobalAlias.h>
#include <llvm/IR/GlobalIFunc.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>

#include <algorithm>
#include <iterator>

namespace heddle::clang_frontend {

namespace {

std::uint32_t align_of(const llvm::GlobalVariable& variable, const llvm::DataLayout& layout) {
    return static_cast<std::uint32_t>(variable.getAlign().value_or(layout.getABITypeAlign(variable.getValueType())).value());
}

} // namespace

FunctionId Globals::function(const llvm::Function& function) {
    const auto [known, fresh] = function_ids_.try_emplace(&function, static_cast<std::uint32_t>(function_ids_.size()));
    if (fresh) {
        functions_to_lower_.push_back(&function);
    }
    return known->second;
}

const llvm::Function* Globals::next_function() {
    if (functions_to_lower_.empty()) {
        return nullptr;
    }
    const llvm::Function* function = functions_to_lower_.front();
    functions_to_lower_.pop_front();
    return function;
}

std::uint32_t Globals::thread_local_variable(const llvm::GlobalVariable& variable) {
    const auto [known, fresh] = thread_local_ids_.try_emplace(&variable, static_cast<std::uint32_t>(thread_locals_.size()));
    if (fresh) {
        pending_.push_back({&variable, Pending::Table::ThreadLocal, thread_locals_.size()});
        if (align_of(variable, layout_) > kMaxAlign && over_aligned_.empty()) {
            over_aligned_ = Places::name_of(variable);
        }
        thread_locals_.push_back({.name = Places::name_of(variable),
                                  .place = places_.of(variable),
                                  .layout = parts_of(variable),
                                  .size = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue(),
                                  .align = align_of(variable, layout_),
                                  .escapes = escape_.escapes(variable),
                                  .runtime = is_runtime(variable),
                                  .init = {}});
    }
    return known->second;
}

Address Globals::variable_address(const llvm::GlobalVariable& variable) {
    const auto [known, fresh] = addresses_.try_emplace(&variable, 0);
    if (fresh) {
        const bool constant = variable.isConstant();
        std::vector<Global>& table = constant ? constants_ : mutables_;
        std::uint64_t& next = constant ? next_constant_region_ : next_mutable_region_;
        Global global{.name = Places::name_of(variable),
                      .place = places_.of(variable),
                      .layout = parts_of(variable),
                      .size = layout_.getTypeAllocSize(variable.getValueType()).getFixedValue(),
                      .align = align_of(variable, layout_),
                      .constant = constant,
                      .runtime = is_runtime(variable),
                      .init = {}};
        if (global.align > kMaxAlign && over_aligned_.empty()) {
            over_aligned_ = global.name;
        }
        const Span span = span_of(global.size, global.align);
        const AddressKind kind = constant ? AddressKind::Constant : AddressKind::Global;
        global.address = make_static_address(kind, static_cast<std::uint32_t>(next), 0) + span.offset;
        next += span.regions;
        known->second = global.address;
        pending_.push_back({&variable, constant ? Pending::Table::Constant : Pending::Table::Mutable, table.size()});
        table.push_back(std::move(global));
    }
    return known->second;
}

LayoutId Globals::parts_of(const llvm::GlobalVariable& variable) {
    return is_runtime(variable) ? types_.opaque(PartOwner::Runtime) : types_.layout(variable);
}

std::expected<Address, std::string> Globals::address_of(const llvm::GlobalValue& value) {
    if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(&value)) {
        return evaluate(*alias->getAliasee());
    }
    if (llvm::isa<llvm::GlobalIFunc>(value)) {
        return std::unexpected("function '" + value.getName().str() + "' chosen at load time (ifunc)");
    }
    if (value.isDeclaration() && value.hasExternalWeakLinkage()) {
        return Address{0};
    }
    if (const auto* code = llvm::dyn_cast<llvm::Function>(&value)) {
        return make_static_address(AddressKind::Function, function(*code).index, 0);
    }
    const auto& variable = llvm::cast<llvm::GlobalVariable>(value);
    if (variable.isDeclaration()) {
        return std::unexpected("undefined variable '" + variable.getName().str() + "'");
    }
    if (variable.isThreadLocal()) {
        return std::unexpected("the address of the thread-local variable '" + variable.getName().str() + "' in a constant");
    }
    return variable_address(variable);
}

std::expected<std::uint64_t, std::string> Globals::evaluate(const llvm::Constant& constant) {
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant); integer && integer->getBitWidth() <= 64) {
        return integer->getZExtValue();
    }
    if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant);
        number && number->getType()->getPrimitiveSizeInBits() <= 64) {
        return number->getValueAPF().bitcastToAPInt().getZExtValue();
    }
    if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) {
        return std::uint64_t{0};
    }
    if (const auto* value = llvm::dyn_cast<llvm::GlobalValue>(&constant)) {
        return address_of(*value);
    }
    if (const auto* equivalent = llvm::dyn_cast<llvm::DSOLocalEquivalent>(&constant)) {
        return address_of(*equivalent->getGlobalValue());
    }
    if (const auto* plain = llvm::dyn_cast<llvm::NoCFIValue>(&constant)) {
        return address_of(*plain->getGlobalValue());
    }
    if (const auto* block = llvm::dyn_cast<llvm::BlockAddress>(&constant)) {
        // Labels as values of GNU C: the number of the block in its function, from 1. It means something to a computed goto only.
        const llvm::Function& function = *block->getFunction();
        const auto position = std::ranges::find(function, block->getBasicBlock(), [](const llvm::BasicBlock& b) { return &b; });
        return static_cast<std::uint64_t>(std::distance(function.begin(), position)) + 1;
    }
    if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(&constant)) {
        return evaluate_expression(*expression);
    }
    return std::unexpected("a constant of an unknown kind");
}

std::expected<std::uint64_t, std::string> Globals::evaluate_expression(const llvm::ConstantExpr& expression) {
    const std::uint64_t mask = mask_of(static_cast<unsigned>(layout_.getTypeSizeInBits(expression.getType()).getFixedValue()));
    const auto operand = [&](unsigned i) { return evaluate(*expression.getOperand(i)); };
    const auto first = operand(0);
    if (!first) {
        return first;
    }
    if (const auto* path = llvm::dyn_cast<llvm::GEPOperator>(&expression)) {
        llvm::APInt offset(64, 0);
        if (!path->accumulateConstantOffset(layout_, offset)) {
            return std::unexpected("an address computed from other addresses in a constant");
        }
        return *first + offset.getZExtValue();
    }
    switch (expression.getOpcode()) {
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::Trunc:
        return *first & mask;
    default:
        break;
    }
    const auto second = expression.getNumOperands() == 2 ? operand(1) : std::expected<std::uint64_t, std::string>(0);
    if (!second) {
        return second;
    }
    switch (expression.getOpcode()) {
    case llvm::Instruction::Add:
        return (*first + *second) & mask;
    case llvm::Instruction::Sub:
        return (*first - *second) & mask;
    case llvm::Instruction::Mul:
        return (*first * *second) & mask;
    case llvm::Instruction::Xor:
        return *first ^ *second;
    case llvm::Instruction::Shl:
        return *second < 64 ? (*first << *second) & mask : 0;
    default:
        return std::unexpected("the operation '" + std::string(expression.getOpcodeName()) + "' in a constant");
    }
}

std::expected<bool, Diagnostic> Globals::initialise() {
    bool worked = false;
    for (; !pending_.empty(); worked = true) {
        const Pending next = pending_.front();
        pending_.pop_front();
        if (!over_aligned_.empty()) {
            return std::unexpected(
                Diagnostic{Diagnostic::Kind::Unsupported,
                           "the alignment of '" + over_aligned_ + "' is larger than " + std::to_string(kMaxAlign) + " bytes"});
        }
        auto bytes = bytes_of(*next.variable);
        if (!bytes) {
            return std::unexpected(Diagnostic{Diagnostic::Kind::Unsupported, bytes.error() + ", in the initial value of '" +
                                                                                 Places::name_of(*next.variable) + "'"});
        }
        switch (next.table) {
        case Pending::Table::Mutable:
            mutables_[next.index].init = std::move(*bytes);
            break;
        case Pending::Table::Constant:
            // The machine reads constants from here, so zeros are written out too.
            bytes->resize(constants_[next.index].size);
            constants_[next.index].init = std::move(*bytes);
            break;
        case Pending::Table::ThreadLocal:
            thread_locals_[next.index].init = std::move(*bytes);
            break;
        }
    }
    return worked;
}

void Globals::finish(Program& program) {
    program.first_constant_global = mutables_.size();
    program.globals = std::move(mutables_);
    program.globals.insert(program.globals.end(), std::make_move_iterator(constants_.begin()),
                           std::make_move_iterator(constants_.end()));
    program.thread_locals = std::move(thread_locals_);
}

std::expected<std::vector<std::uint8_t>, std::string> Globals::bytes_of(const llvm::GlobalVariable& variable) {
    // An undefined part of an initialiser is padding; static storage starts as zero.
    if (!variable.hasInitializer()) {
        return std::unexpected("undefined variable '" + variable.getName().str() + "'");
    }
    if (variable.getInitializer()->isNullValue() || llvm::isa<llvm::UndefValue>(variable.getInitializer())) {
        return std::vector<std::uint8_t>{};
    }
    std::vector<std::uint8_t> bytes(layout_.getTypeAllocSize(variable.getValueType()).getFixedValue());
    auto done = write(*variable.getInitializer(), 0, bytes);
    if (!done) {
        return std::unexpected(done.error());
    }
    return bytes;
}

std::expected<void, std::string> Globals::write(const llvm::Constant& constant, std::uint64_t offset,
                                                std::vector<std::uint8_t>& bytes) {
    if (constant.isNullValue() || llvm::isa<llvm::UndefValue>(constant)) {
        return {};
    }
    if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(&constant)) {
        // Packed like this in memory too, on a little-endian target.
        std::ranges::copy(data->getRawDataValues(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
        return {};
    }
    llvm::Type* type = constant.getType();
    if (!llvm::isa<llvm::ConstantAggregate>(constant)) {
        return write_scalar(constant, offset, bytes);
    }
    for (unsigned i = 0; i < constant.getNumOperands(); ++i) {
        const auto& element = llvm::cast<llvm::Constant>(*constant.getOperand(i));
        std::uint64_t position = 0;
        if (auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
            position = layout_.getStructLayout(structure)->getElementOffset(i).getFixedValue();
        } else if (type->isArrayTy()) {
            position = i * layout_.getTypeAllocSize(element.getType()).getFixedValue();
        } else {
            const std::uint64_t bits = layout_.getTypeSizeInBits(element.getType()).getFixedValue();
            if (bits % 8 != 0) {
                return std::unexpected("a vector of single bits");
            }
            position = i * (bits / 8);
        }
        if (auto done = write(element, offset + position, bytes); !done) {
            return done;
        }
    }
    return {};
}

std::expected<void, std::string> Globals::write_scalar(const llvm::Constant& constant, std::uint64_t offset,
                                                       std::vector<std::uint8_t>& bytes) {
    const std::uint64_t size = layout_.getTypeStoreSize(constant.getType()).getFixedValue();
    llvm::APInt value(64, 0);
    if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
        value = integer->getValue();
    } else if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(&constant)) {
        value = number->getValueAPF().bitcastToAPInt();
    } else {
        const auto evaluated = evaluate(constant);
        if (!evaluated) {
            return std::unexpected(evaluated.error());
        }
        value = llvm::APInt(64, *evaluated);
    }
    const llvm::APInt wide = value.zextOrTrunc(static_cast<unsigned>(size * 8));
    for (std::uint64_t i = 0; i < size; ++i) {
        bytes[offset + i] = static_cast<std::uint8_t>(wide.extractBitsAsZExtValue(8, static_cast<unsigned>(i * 8)));
    }
    return {};
}

} // namespace heddle::clang_frontend
