// One run of clang-19: C source in, bitcode out, through anonymous memory files.
//
// Memory files and not pipes: several compilations run at the same time, and a process must never wait for us to read what it writes.
// There are no temporary files to clean up after a crash.
#pragma once

#include "support/diagnostic.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include <sys/types.h>

namespace heddle::clang_frontend {

class ClangProcess {
  public:
    /// `hold_messages`: keep stderr until finish(), so that the messages of parallel runs do not mix; else it is ours, untouched.
    static std::expected<ClangProcess, Diagnostic> start(const std::vector<std::string>& arguments, bool hold_messages);

    ClangProcess(ClangProcess&& other) noexcept;
    ClangProcess& operator=(ClangProcess&&) = delete;
    ~ClangProcess();

    /// Waits for the end, lets held messages out. The bitcode, or nothing if clang did not succeed.
    std::expected<std::string, int> finish();

  private:
    ClangProcess() = default;
    pid_t pid_ = -1; ///< -1: not running (any more)
    int output_ = -1;
    int messages_ = -1; ///< -1: clang has our stderr
};

} // namespace heddle::clang_frontend
