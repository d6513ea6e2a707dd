#include "program/builtin.hpp"

namespace heddle {

std::optional<BuiltinSpec> find_builtin(std::string_view c_name) {
    static constexpr BuiltinSpec specs[] = {
#define X(name, c_name, args) {Builtin::name, c_name, args},
        HEDDLE_BUILTINS(X)
#undef X
    };
    for (const BuiltinSpec& spec : specs) {
        if (spec.c_name == c_name) {
            return spec;
        }
    }
    return std::nullopt;
}

} // namespace heddle
