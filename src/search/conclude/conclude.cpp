#include "search/conclude/conclude.hpp"

#include "support/resident_memory.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace heddle {

std::string violation_key(const Trap& trap, std::span<const PlaceId> about) {
    if (trap.kind == TrapKind::DataRace && about.size() == 2) { // whichever of the two was noticed first
        return fmt::format("{} {} {}", word_of(trap.kind), std::min(about[0].index, about[1].index),
                           std::max(about[0].index, about[1].index));
    }
    std::string key = fmt::format("{} {}", word_of(trap.kind), trap.stack.front().index);
    for (const PlaceId place : about) {
        key += fmt::format(" {}", place.index);
    }
    return key;
}

std::optional<Violation> together(std::vector<Violation::Other> all) {
    if (all.empty()) {
        return std::nullopt;
    }
    Violation v{.trap = std::move(all.front().trap), .thread = all.front().thread};
    all.erase(all.begin());
    v.also = std::move(all);
    return v;
}

std::optional<std::string> out_of_memory(const CheckOptions& options) {
    static const std::uint64_t usable = usable_memory();
    return out_of_memory(options, usable);
}

std::optional<std::string> out_of_memory(const CheckOptions& options, std::uint64_t usable) {
    if (options.max_memory_mb != 0) {
        return resident_memory() > options.max_memory_mb << 20
                   ? std::optional(fmt::format("--max-memory {} MB", options.max_memory_mb))
                   : std::nullopt;
    }
    const std::uint64_t most = usable / 10 * 9;
    return usable != 0 && resident_memory() > most
               ? std::optional(fmt::format("nine tenths of this machine's memory, {} MB, are in use (--max-memory allows more)",
                                           most >> 20))
               : std::nullopt;
}

Numbers numbers_of(const Action& a) {
    constexpr std::uint64_t kMostBits = 8;        // of an input of which every value is tried
    constexpr std::uint64_t kMostChoices = 65536; // a choice among more would fill memory with options
    if (a.kind == ActionKind::Nondet && a.count > kMostBits) {
        return {.count = 1,
                .assumption =
                    Assumption{.kind = "input-fixed",
                               .place = a.place,
                               .detail = fmt::format("an input of {} bits is 0: only those of up to {} bits are explored",
                                                     a.count, kMostBits)}};
    }
    if (a.kind == ActionKind::Nondet) {
        return {.count = std::uint64_t{1} << a.count};
    }
    return {.count = a.count > kMostChoices ? 1 : a.count, .too_many = a.count > kMostChoices};
}

Assumption weak_compare_exchange(const Action& a) {
    return {.kind = "weak-compare-exchange", .place = a.place, .detail = "taken never to fail spuriously", .standing = true};
}

void conclude(CheckResult& result, const Program& program) {
    result.assumptions.insert(result.assumptions.begin(), program.assumptions.begin(), program.assumptions.end());
    const auto gap = std::ranges::find(result.assumptions, kUpdateInOnePiece, &Assumption::kind);
    if (!result.violations.empty()) {
        result.verdict = Verdict::Violation;
    } else if (result.verdict == Verdict::Safe && gap != result.assumptions.end()) {
        result.verdict = Verdict::Unsupported; // what the search may have missed is not said to be safe
        result.reason =
            fmt::format("executions may be missing, because {} (--search reference tries all of a small program)", gap->detail);
        result.place = gap->place;
    } else if (result.verdict == Verdict::Safe && !std::ranges::all_of(result.assumptions, &Assumption::standing)) {
        result.verdict = Verdict::SafeWithinBound;
    }
}

std::string globals_as_text(const Program& program, const std::function<Value(Address)>& byte_at) {
    std::string text;
    for (const Global& g : std::span(program.globals).first(program.first_constant_global)) {
        for (Address byte = g.address; byte < g.address + g.size; ++byte) {
            const Value v = byte_at(byte);
            text += v.defined() ? fmt::format("{:02x}", v.lo) : "XX";
        }
        text += ' ';
    }
    return text;
}

} // namespace heddle
