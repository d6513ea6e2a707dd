// `heddle run`: the program once, deterministically.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
} // namespace CLI

namespace heddle::cli {

class RunCommand {
  public:
    /// Adds the command to `app`; when it is chosen, parsing runs it and sets `status`. `flags` are clang's.
    RunCommand(CLI::App& app, const std::vector<std::string>& flags, int& status);
    RunCommand(const RunCommand&) = delete;
    RunCommand& operator=(const RunCommand&) = delete;

  private:
    int execute() const;

    const std::vector<std::string>& flags_;
    std::vector<std::string> files_;
    std::vector<std::string> arguments_;
    std::optional<std::uint64_t> seed_;
    std::optional<double> timeout_;
    bool no_leaks_ = false;
    bool spurious_wakeups_ = false;
    bool dump_program_ = false;
    bool verbose_ = false;
    bool track_dependencies_ = false;
    bool stepwise_ = false;
};

} // namespace heddle::cli
