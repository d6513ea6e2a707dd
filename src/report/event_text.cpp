#include "report/event_text.hpp"

#include "program/address.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace heddle {
namespace {

/// Larger numbers are hashes, tagged pointers, bit sets: their digits say more in hexadecimal.
constexpr std::int64_t kLargeNumber = std::int64_t{1} << 40;

std::int64_t as_signed(std::uint64_t bits, unsigned size) {
    const unsigned unused = 64 - 8 * std::min(size, 8U);
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

std::string in_brackets(std::string_view what, Order order) {
    const std::string_view word = order == Order::NonAtomic ? std::string_view() : word_of(order); // plain goes without saying
    if (what.empty() && word.empty()) {
        return "";
    }
    return fmt::format("  ({}{}{})", what, what.empty() || word.empty() ? "" : ", ", word);
}

std::string update_text(const WitnessEvent& write, const WitnessEvent& read) {
    return fmt::format("{}: {} -> {}{}", read.name, value_text(read), value_text(write),
                       in_brackets("update", order_of_update(read.event.order, write.event.order)));
}

std::string object_text(const WitnessEvent& e) {
    const bool variable = kind_of(e.event.location) == AddressKind::Stack;
    if (e.event.kind == EventKind::Alloc) {
        return variable ? "enters the scope of " + e.name : "allocates " + e.name;
    }
    return variable ? "leaves the scope of " + e.name : "frees " + e.name;
}

} // namespace

std::string value_text(const Value& value, unsigned size) {
    const unsigned bits = 8 * std::min(size == 0 ? 8U : size, 16U);
    const std::uint64_t low = mask_of_bits(bits);
    const std::uint64_t high = bits > 64 ? mask_of_bits(bits - 64) : 0;
    const std::uint64_t undef_lo = value.undef_lo & low;
    const std::uint64_t undef_hi = value.undef_hi & high;
    if ((undef_lo | undef_hi) != 0) {
        return undef_lo == low && undef_hi == high ? "uninitialised" : "partly uninitialised";
    }
    const bool sign_extends = (value.hi & high) == (as_signed(value.lo, 8) < 0 ? high : 0);
    if (bits > 64 && !sign_extends) {
        return fmt::format("{:#x}{:016x}", value.hi & high, value.lo);
    }
    const std::int64_t number = as_signed(value.lo, bits / 8);
    const bool address = bits == 64 && kind_of(value.lo) != AddressKind::Nothing;
    if (address || number >= kLargeNumber || number <= -kLargeNumber) {
        return fmt::format("{:#x}", value.lo & low);
    }
    return fmt::format("{}", number);
}

std::string value_text(const WitnessEvent& e) { return e.pointee.empty() ? value_text(e.value, e.size) : e.pointee; }

std::string_view word_of(EventKind kind) {
    switch (kind) {
    case EventKind::Init:
        return "init";
    case EventKind::Read:
        return "read";
    case EventKind::Write:
        return "write";
    case EventKind::Fence:
        return "fence";
    case EventKind::Begin:
        return "begin";
    case EventKind::End:
        return "end";
    case EventKind::Spawn:
        return "spawn";
    case EventKind::Join:
        return "join";
    case EventKind::Alloc:
        return "alloc";
    case EventKind::Free:
        return "free";
    case EventKind::Choose:
        return "choose";
    case EventKind::Wait:
        return "wait";
    }
    return "?";
}

std::string fence_text(const Event& fence) {
    return std::string(fence.fence == FenceKind::C11 ? word_of(fence.order) : word_of(fence.fence));
}

Order order_of_update(Order read, Order write) {
    if (read == Order::SeqCst || write == Order::SeqCst) {
        return Order::SeqCst;
    }
    if (read == Order::Acquire && write == Order::Release) {
        return Order::AcqRel;
    }
    return read == Order::Acquire ? read : write;
}

std::optional<std::size_t> write_of_update(const Witness& witness, std::size_t read) {
    const Event& event = witness.events[read].event;
    if (!event.is_read() || !event.update) {
        return std::nullopt;
    }
    // It is the next event of its thread.
    for (std::size_t e = read + 1; e < witness.events.size(); ++e) {
        const Event& next = witness.events[e].event;
        if (next.kind != EventKind::Init && next.thread == event.thread) {
            return next.update_read == std::optional(read) ? std::optional(e) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::string event_text(const Witness& witness, std::size_t position) {
    const WitnessEvent& e = witness.events[position];
    if (e.event.update_read) {
        return update_text(e, witness.events[*e.event.update_read]);
    }
    if (e.lock) {
        const bool taken = write_of_update(witness, position) || e.event.update_read;
        return (e.event.is_read() ? taken ? "locks " : "finds locked: " : taken ? "locks " : "unlocks ") + e.name;
    }
    if (const auto write = write_of_update(witness, position)) {
        return update_text(witness.events[*write], e);
    }
    const std::string value = value_text(e);
    switch (e.event.kind) {
    case EventKind::Init:
        return fmt::format("{} starts as {}", e.name, value);
    case EventKind::Read:
        return fmt::format("reads {}: {}{}", e.name, value,
                           in_brackets(e.event.update ? "update that writes nothing" : "", e.event.order));
    case EventKind::Write:
        return fmt::format("{} = {}{}", e.name, value, in_brackets("", e.event.order));
    case EventKind::Fence:
        return "fence " + fence_text(e.event);
    case EventKind::Begin:
        return "begins";
    case EventKind::End:
        return "ends";
    case EventKind::Spawn:
        return "spawns " + thread_text(e.event.other);
    case EventKind::Join:
        return "joins " + thread_text(e.event.other);
    case EventKind::Alloc:
    case EventKind::Free:
        return object_text(e);
    case EventKind::Choose:
        return "chooses " + value;
    case EventKind::Wait:
        return "waits";
    }
    return "?";
}

std::string thread_text(ThreadId thread) { return fmt::format("T{}", thread.index); }

} // namespace heddle
