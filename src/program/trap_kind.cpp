#include "program/trap_kind.hpp"

namespace heddle {

std::string_view word_of(TrapKind kind) {
    switch (kind) {
#define X(name, word)                                                                                                            \
    case TrapKind::name:                                                                                                         \
        return word;
        HEDDLE_TRAP_KINDS(X)
#undef X
    }
    return "unknown";
}

} // namespace heddle
