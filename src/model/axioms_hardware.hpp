// The axioms of processors; see axioms.hpp.
#pragma once

#include "graph/execution.hpp"

#include <optional>
#include <string_view>

namespace heddle {

/// Coherence and atomicity, which every model has.
std::optional<std::string_view> broken_in_all(const Relations& r);

std::optional<std::string_view> power_broken(const Execution& x);
std::optional<std::string_view> armv8_broken(const Execution& x);
/// With updates that are single instructions (LSE): one that is both acquire and release keeps what comes later behind its write.
std::optional<std::string_view> armv8_lse_broken(const Execution& x);

} // namespace heddle
