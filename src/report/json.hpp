// A finished check as the document that --json writes (docs/cli.md has its keys).
#pragma once

#include "report/finished_check.hpp"

#include <string>

namespace heddle {

/// One JSON object, indented, ended by a newline. Bytes that are no UTF-8 (in file names, say) are replaced.
std::string to_json(const FinishedCheck& check);

} // namespace heddle
