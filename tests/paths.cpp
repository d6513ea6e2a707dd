#include "paths.hpp"

#include <cstdlib>

namespace heddle::test {

std::string source_dir() { return HEDDLE_SOURCE_DIR; }

std::string heddle_binary() {
    const char* const named = std::getenv("HEDDLE_BINARY");
    return named ? named : HEDDLE_BINARY;
}

std::string litmus_corpora() { return HEDDLE_LITMUS_CORPORA; }

} // namespace heddle::test
