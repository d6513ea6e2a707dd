// HEDDLE_CHECK: an invariant that guards soundness. It stays on in release builds; a broken one ends in the verdict
// InternalError (exit code 70), never in undefined behaviour.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// A broken invariant of Heddle itself. Caught once, in src/cli.
class InternalError : public std::logic_error {
  public:
    using std::logic_error::logic_error;
};

[[noreturn]] void internal_error(const char* file, int line, const std::string& what);

} // namespace heddle

#define HEDDLE_CHECK(condition, what)                                                                                            \
    do {                                                                                                                         \
        if (!(condition)) [[unlikely]]                                                                                           \
            ::heddle::internal_error(__FILE__, __LINE__, what);                                                                  \
    } while (false)
