// What every search does with what it has found: telling violations apart, and the verdict.
#pragma once

#include "search/check_result.hpp"

#include <functional>
#include <span>
#include <string>

namespace heddle {

/// Equal for violations that a user would call the same: the kind, where it is, and what it is about.
std::string violation_key(const Trap& trap, std::span<const PlaceId> about);

/// The verdict of a search that has ended: that of the search, unless there are violations or assumptions.
void conclude(CheckResult& result, const Program& program);

/// The bytes of the mutable global variables, with XX where bits are undefined.
std::string globals_as_text(const Program& program, const std::function<Value(Address)>& byte_at);

} // namespace heddle
