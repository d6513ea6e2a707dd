// `heddle litmus`: litmus tests, many at once, answered in herd's format.
#pragma once

#include "cli/litmus_records.hpp"
#include "cli/litmus_runner.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
} // namespace CLI

namespace heddle::cli {

class LitmusCommand {
  public:
    /// Adds the command to `app`; when it is chosen, parsing runs it and sets `status`.
    LitmusCommand(CLI::App& app, int& status);
    LitmusCommand(const LitmusCommand&) = delete;
    LitmusCommand& operator=(const LitmusCommand&) = delete;

  private:
    /// What is added up on the way.
    struct Tally {
        std::size_t tests = 0, ok = 0, no = 0, undefined = 0, rejected = 0, unsupported = 0, out_of_budget = 0, not_run = 0;
        std::size_t compared = 0, agree = 0;
        std::uint64_t executions = 0;
    };
    int execute();
    /// Every .litmus file that is named or below a folder that is; nothing, with a message, when one is not there.
    [[nodiscard]] std::optional<std::vector<std::string>> find_files() const;
    /// Runs all on workers, and calls `report` in the order of files.
    void run_all(const std::vector<std::string>& files, const std::function<void(const LitmusResult&)>& report) const;
    void report(const LitmusResult& result, const LitmusRecords* records, std::FILE* json, Tally& tally) const;
    [[nodiscard]] int conclude(const Tally& tally, double seconds) const;

    std::vector<std::string> inputs_;
    LitmusOptions options_;
    std::string expect_;
    std::string json_;
    unsigned jobs_ = 0;
    bool quiet_ = false;
};

} // namespace heddle::cli
