// `heddle check`: every execution of the program under a memory model.
#pragma once

#include "report/paint.hpp"
#include "search/check_options.hpp"

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
} // namespace CLI

namespace heddle {
struct Diagnostic;
struct FinishedCheck;
struct Program;
struct Session;
} // namespace heddle

namespace heddle::cli {

class CheckCommand {
  public:
    /// Adds the command to `app`; when it is chosen, parsing runs it and sets `status`. `flags` are clang's.
    CheckCommand(CLI::App& app, const std::vector<std::string>& flags, int& status);
    CheckCommand(const CheckCommand&) = delete;
    CheckCommand& operator=(const CheckCommand&) = delete;

  private:
    void add_what(CLI::App& command);
    void add_budgets(CLI::App& command);
    void add_reports(CLI::App& command);

    int execute() const;
    /// Under a model that is only written in cat.
    int execute_cat(Program program, CheckOptions asked, std::FILE* json) const;
    /// What searches that try everything one by one do not do.
    [[nodiscard]] bool beyond_brute_force() const;
    /// Says so and gives false when a search is asked for what it does not do.
    [[nodiscard]] bool is_possible() const;
    [[nodiscard]] CheckOptions options() const;
    using Search = std::function<CheckResult(Session&, const CheckOptions&)>;
    /// The search, with the progress line and ctrl-C around it, and the report after it. `name`: of the search, for the report.
    int explore(Program program, CheckOptions options, const std::string& name, std::FILE* json, const Search& search) const;
    /// A program that cannot even be loaded because something in it is not modelled: a verdict like any other.
    int refuse(const Diagnostic& diagnostic, std::FILE* json) const;
    int report(const FinishedCheck& check, std::FILE* json) const;
    void print(const FinishedCheck& check) const;

    const std::vector<std::string>& flags_;
    std::vector<std::string> files_;
    std::vector<std::string> arguments_;
    CheckOptions options_; ///< what of it comes straight from the command line
    std::string equivalence_ = "trace";
    std::string search_ = "dpor";
    std::string property_;             ///< "termination", "unreach-call" or empty
    std::vector<std::string> without_; ///< optimisations of the search over states
    std::string json_;                 ///< a file, "-" or empty
    std::string progress_ = "auto";
    std::string color_ = "auto";
    unsigned jobs_ = 0; ///< 0: one a core
    bool no_symmetry_ = false;
    bool no_leaks_ = false;
    bool quiet_ = false;
    bool verbose_ = false;
};

} // namespace heddle::cli
