// HashOfValue: for tables whose keys are values.
#pragma once

#include "machine/value.hpp"

#include <cstddef>

namespace heddle {

struct HashOfValue {
    std::size_t operator()(const Value& v) const {
        return (v.lo ^ (v.hi * 31)) * 0x9E3779B97F4A7C15u + (v.undef_lo ^ v.undef_hi);
    }
};

} // namespace heddle
