// Variadic functions. All unnamed arguments travel in memory, laid out as the x86-64 System V ABI lays out arguments on the stack: each in
// units of 8 bytes, on a multiple of 16 if the type asks for it. The caller puts them into a Local and passes its address as a hidden last
// argument. va_start makes a va_list whose registers are used up (gp_offset 48 and fp_offset 176 are beyond the last), so the code
// that clang expands va_arg to takes every argument from there, unchanged.
#include "frontend/clang/lower.hpp"

#include <algorithm>

namespace heddle::clang_frontend {

namespace {

constexpr std::uint32_t kMaxArea = 4096;

struct UnnamedArgument {
    const llvm::Value* value;
    std::uint64_t offset;
    std::uint64_t copied_bytes; ///< of a struct passed by value in memory; 0: the value itself
};

struct Area {
    std::vector<UnnamedArgument> arguments;
    std::uint64_t size = 0;
};

Area area_of(FunctionContext& to, const llvm::CallBase& call, unsigned first) {
    Area area;
    for (unsigned i = first; i < call.arg_size(); ++i) {
        const llvm::Value* value = call.getArgOperand(i);
        llvm::Type* type = call.isByValArgument(i) ? call.getParamByValType(i) : value->getType();
        const std::uint64_t align =
            call.isByValArgument(i) ? call.getParamAlign(i).valueOrOne().value() : to.module.layout.getABITypeAlign(type).value();
        const std::uint64_t bytes = to.module.layout.getTypeAllocSize(type).getFixedValue();
        const std::uint64_t unit = std::max<std::uint64_t>(8, std::min<std::uint64_t>(align, 16));
        const std::uint64_t offset = (area.size + unit - 1) / unit * unit;
        area.arguments.push_back({value, offset, call.isByValArgument(i) ? bytes : 0});
        area.size = offset + (bytes + 7) / 8 * 8;
    }
    return area;
}

} // namespace

Slot lay_out_unnamed(FunctionContext& to, const llvm::CallBase& call, unsigned first) {
    const Area area = area_of(to, call, first);
    if (area.size == 0) {
        return to.constant(0);
    }
    if (area.size > kMaxArea) {
        to.unsupported("a call with more than " + std::to_string(kMaxArea) + " bytes of unnamed arguments");
        return to.constant(0);
    }
    const std::uint32_t local = to.argument_area(static_cast<std::uint32_t>(area.size));
    for (const UnnamedArgument& argument : area.arguments) {
        const MemoryPlace place{.local = LocalByte{local, static_cast<std::uint32_t>(argument.offset)}};
        if (argument.copied_bytes != 0) {
            emit_copy(to, Op::MemCpy, to.address(place), to.single(*argument.value), to.constant(argument.copied_bytes), false);
            continue;
        }
        const Slots value = to.operand(*argument.value);
        if (to.shape(*argument.value).huge) {
            to.unsupported("an unnamed argument of more than 128 bits");
            continue;
        }
        for (const Leaf& leaf : to.shape(*argument.value).leaves) {
            to.store(value[leaf.slot], place, static_cast<std::int64_t>(leaf.offset), leaf.bytes(), 0);
        }
    }
    return to.address({.local = LocalByte{local, 0}});
}

void lower_va_start(FunctionContext& to, const llvm::CallBase& call) {
    const MemoryPlace list = to.place_of(*call.getArgOperand(0));
    to.store(to.constant(48), list, 0, 4, 0);
    to.store(to.constant(176), list, 4, 4, 0);
    to.store(to.hidden_parameter(), list, 8, 8, kPointerValue);
    to.store(to.constant(0), list, 16, 8, kPointerValue);
}

} // namespace heddle::clang_frontend
