#include "program/instr.hpp"

namespace heddle {

const char* name_of(Op op) {
    switch (op) {
#define X(name)                                                                                                                  \
    case Op::name:                                                                                                               \
        return #name;
        HEDDLE_OPS(X)
#undef X
    }
    return "?";
}

} // namespace heddle
