// The clang front end: C sources, LLVM assembly or bitcode to a Program. The only room that knows LLVM.
#pragma once

#include "program/program.hpp"
#include "support/diagnostic.hpp"

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::clang_frontend {

struct Input {
    std::vector<std::string> files;     ///< .c .i .ll .bc, linked together
    std::vector<std::string> flags;     ///< for clang, after our own (so the user's win)
    std::vector<std::string> arguments; ///< argv[1..] of the checked program; argv[0] is the first file's name
    std::filesystem::path resources;    ///< the folder with runtime.bc and include/ (share/heddle of an installation)
    bool quiet_abort = false;           ///< abort ends the program and is no error
};

/// Where the time went, in seconds: clang is another program, the rest is ours.
struct Timing {
    double clang = 0;
    double own = 0;
};

/// Compiles, links the runtime, runs the passes (passes.hpp) and lowers what main reaches.
std::expected<Program, Diagnostic> load(const Input& input, Timing* timing = nullptr);

} // namespace heddle::clang_frontend
