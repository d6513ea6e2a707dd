// What a stage says when it cannot go on: the message for the person, and which of CLI.md's endings it is.
#pragma once

#include <string>

namespace heddle {

struct Diagnostic {
    enum class Kind {
        BadInput,    ///< bad usage, or the input does not compile or parse (exit 2)
        Unsupported, ///< something that is not modelled (exit 5)
    };
    Kind kind = Kind::BadInput;
    std::string message; ///< complete sentences or a compiler's own output; no trailing newline
};

} // namespace heddle
