#include "support/check.hpp"

namespace heddle {

void internal_error(const char* file, int line, const std::string& what) {
    throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

} // namespace heddle
