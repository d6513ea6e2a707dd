// `heddle generate`: litmus tests from cycles of relations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
} // namespace CLI

namespace heddle::cli {

class GenerateCommand {
  public:
    /// Adds the command to `app`; when it is chosen, parsing runs it and sets `status`.
    GenerateCommand(CLI::App& app, int& status);
    GenerateCommand(const GenerateCommand&) = delete;
    GenerateCommand& operator=(const GenerateCommand&) = delete;

  private:
    int execute() const;

    std::string architecture_;
    std::vector<std::string> cycles_; ///< each a list of relations; empty: all critical cycles
    std::optional<std::string> relations_;
    std::string threads_ = "2";      ///< a number or a range N..M
    std::optional<unsigned> length_; ///< at most so many relations
    std::optional<std::uint64_t> max_;
    std::string out_ = "-"; ///< a folder, or - for stdout
    bool list_ = false;
};

} // namespace heddle::cli
