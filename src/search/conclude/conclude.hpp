// What every search does alike: telling violations apart, the verdict, how many numbers a choice is among.
#pragma once

#include "search/check_options.hpp"
#include "search/check_result.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// Equal for violations that a user would call the same: the kind, where it is, and what it is about.
std::string violation_key(const Trap& trap, std::span<const PlaceId> about);

/// One violation of all of them: the first, and the others with it. Nothing if there are none. Without a witness.
std::optional<Violation> together(std::vector<Violation::Other> all);

/// The kind of an assumption with which executions may be missing (search/dpor/explorer_updates.cpp): no program is Safe with it, in whatever bounds.
inline constexpr std::string_view kUpdateInOnePiece = "update-in-one-piece";

/// The verdict of a search that has ended: that of the search, unless there are violations or assumptions.
void conclude(CheckResult& result, const Program& program);

/// Is more memory in use than --max-memory allows or, without it, than nine tenths of what is `usable`? Then what the verdict says about it. (Else the system would end Heddle, and what
/// is known would be lost.)
std::optional<std::string> out_of_memory(const CheckOptions& options);
std::optional<std::string> out_of_memory(const CheckOptions& options, std::uint64_t usable);

/// How many numbers a Choose or Nondet is explored with.
struct Numbers {
    std::uint64_t count = 0;
    bool too_many = false;                  ///< more than could be tried
    std::optional<Assumption> assumption{}; ///< what is taken for granted
};
Numbers numbers_of(const Action& a);

Assumption weak_compare_exchange(const Action& a);

/// The bytes of the mutable global variables, with XX where bits are undefined.
std::string globals_as_text(const Program& program, const std::function<Value(Address)>& byte_at);

} // namespace heddle
