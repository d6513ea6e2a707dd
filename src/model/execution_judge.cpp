#include "model/execution_judge.hpp"

#include "model/axioms.hpp"

namespace heddle {
namespace {

/// Asks the axioms about whole executions only.
class AxiomsJudge : public ExecutionJudge {
  public:
    explicit AxiomsJudge(const Axioms& axioms) : axioms_(&axioms) {}

    bool begin(const Execution& x) override {
        x_ = &x;
        return true;
    }
    bool choose_sources() override { return true; }
    bool choose_coherence() override { return !axioms_->broken(*x_); }
    [[nodiscard]] bool implies_coherence() const override { return true; } // each of them has it as an axiom of its own

  private:
    const Axioms* axioms_;
    const Execution* x_ = nullptr;
};

} // namespace

std::unique_ptr<ExecutionJudge> judge_by(const Axioms& axioms) { return std::make_unique<AxiomsJudge>(axioms); }

} // namespace heddle
