#include "model/cat/cat_execution_judge.hpp"

#include "model/cat/judge.hpp"

namespace heddle::cat {
namespace {

class CatExecutionJudge : public ExecutionJudge {
  public:
    CatExecutionJudge(const Model& model, Architecture architecture)
        : judge_(model, architecture), coherent_(model.implies_coherence()) {}

    bool begin(const Execution& x) override { return judge_.begin(x); }
    bool choose_sources() override { return judge_.choose_sources(); }
    bool choose_coherence() override { return judge_.choose_coherence(); }
    [[nodiscard]] bool implies_coherence() const override { return coherent_; }
    [[nodiscard]] std::vector<std::string> flags() const override { return judge_.flags(); }

  private:
    Judge judge_;
    bool coherent_;
};

} // namespace

std::unique_ptr<ExecutionJudge> judge_by(const Model& model, Architecture architecture) {
    return std::make_unique<CatExecutionJudge>(model, architecture);
}

} // namespace heddle::cat
