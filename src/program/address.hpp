// Addresses of the checked program, and how they know their object.
//
// An address is a 47-bit number, so that programs which keep a counter in the upper 16 bits of a pointer work. It says by
// itself what sort of memory it names, which thread made it, and which *region* of 4096 bytes it lies in:
//
//     46..44 kind | 43..34 thread | 33..12 region | 11..0 offset        (globals, constants, functions: no thread, 32-bit region)
//
// Every object has regions of its own and starts kGuard bytes into the first (or on its own larger alignment), with at least kGuard
// unused bytes behind it. So a small overrun is always outside every object, and a large one is caught where the pointer is computed
// (Op::Gep). The thread and the region number come from the history of the allocating thread alone (a counter in its state), never from
// the interleaving: equal executions have equal addresses.
#pragma once

#include "support/ids.hpp"

#include <cstdint>

namespace heddle {

using Address = std::uint64_t;

enum class AddressKind : std::uint8_t {
    Nothing = 0,  ///< null and small numbers
    Function = 1, ///< region = FunctionId
    Global = 2,   ///< a mutable global variable
    Constant = 3, ///< a constant: reading it is never an action, writing it is a trap
    Heap = 4,     ///< malloc, and thread-local variables whose address escapes
    Stack = 5,    ///< a local variable whose address may reach another thread
    Local = 6,    ///< a local variable that provably no other thread reaches; lives in the frame
    Block = 7,    ///< other private memory: thread-local variables, VLAs, large locals, unescaped heap
};

inline constexpr int kRegionBits = 12;
inline constexpr Address kRegionSize = Address{1} << kRegionBits;
inline constexpr Address kGuard = 1024;
inline constexpr int kThreadShift = 34;
inline constexpr int kKindShift = 44;
inline constexpr std::uint32_t kMaxThreads = 1u << (kKindShift - kThreadShift);
inline constexpr std::uint32_t kMaxRegions = 1u << (kThreadShift - kRegionBits);

constexpr AddressKind kind_of(Address a) {
    return (a >> 47) != 0 ? AddressKind::Nothing : static_cast<AddressKind>(a >> kKindShift);
}
/// Memory that other threads may reach.
constexpr bool is_shared(AddressKind kind) {
    return kind == AddressKind::Global || kind == AddressKind::Heap || kind == AddressKind::Stack;
}
constexpr ThreadId thread_of(Address a) { return ThreadId(static_cast<std::uint32_t>(a >> kThreadShift) & (kMaxThreads - 1)); }
/// The region within its thread (kinds Heap to Block).
constexpr std::uint32_t region_of(Address a) { return static_cast<std::uint32_t>(a >> kRegionBits) & (kMaxRegions - 1); }
/// The region of a kind without threads (Function, Global, Constant).
constexpr std::uint32_t static_region_of(Address a) { return static_cast<std::uint32_t>(a >> kRegionBits); }

constexpr Address make_address(AddressKind kind, ThreadId thread, std::uint32_t region, Address offset) {
    return (static_cast<Address>(kind) << kKindShift) | (static_cast<Address>(thread.index) << kThreadShift) |
           (static_cast<Address>(region) << kRegionBits) | offset;
}
constexpr Address make_static_address(AddressKind kind, std::uint32_t region, Address offset) {
    return (static_cast<Address>(kind) << kKindShift) | (static_cast<Address>(region) << kRegionBits) | offset;
}
/// The regions of a kind are [first, first + regions); the object starts `offset` bytes into the first.
struct Span {
    std::uint64_t regions;
    Address offset;
};
/// How many regions an object takes, guards included, and where in them it starts.
constexpr Span span_of(std::uint64_t size, std::uint64_t align) {
    // Alignments beyond a region would need aligned region numbers; frontends and allocators reject them (kMaxAlign).
    const Address offset = align <= kGuard ? kGuard : kRegionSize;
    return {(offset + size + kGuard + kRegionSize - 1) / kRegionSize, offset};
}
inline constexpr std::uint64_t kMaxAlign = kRegionSize;

/// Marks a pointer that arithmetic took far out of its object (a bit above all address bits): whatever it points at is not its own.
inline constexpr Address kStrayPointer = Address{1} << 47;
/// The address in a word into whose upper bits a program may have packed a counter.
constexpr Address without_tag(std::uint64_t word) { return word & (kStrayPointer - 1); }

} // namespace heddle
