// LitmusRunner: litmus tests, one after the other: reads a file, enumerates the executions that a model allows, and answers the test's question.
#pragma once

#include "cli/cat_models.hpp"
#include "frontend/litmus/litmus_test.hpp"
#include "model/execution_judge.hpp"
#include "report/herd.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace heddle::cli {

/// What became of one file.
struct LitmusResult {
    enum class Ending : std::uint8_t { Answered, Rejected, Unsupported, OutOfBudget, NotRun };
    std::string file;
    Ending ending = Ending::Answered;
    LitmusOutcome outcome; ///< if Answered
    std::string message;   ///< else, unless it was not run
};

struct LitmusOptions {
    std::string model;                 ///< empty: that of the test's architecture
    unsigned unroll = 2;               ///< how often a loop goes round
    double timeout = 0;                ///< seconds a test; 0: any
    std::function<bool()> interrupted; ///< asked now and then
};

/// One worker's. The options and models must outlive it.
class LitmusRunner {
  public:
    LitmusRunner(CatModels& models, const LitmusOptions& options) : models_(models), options_(options) {}

    LitmusResult run(const std::string& file);

  private:
    std::expected<ExecutionJudge*, Diagnostic> judge(Architecture architecture);

    CatModels& models_;
    const LitmusOptions& options_;
    std::map<Architecture, std::unique_ptr<ExecutionJudge>> judges_;
};

} // namespace heddle::cli
