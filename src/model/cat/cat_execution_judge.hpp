// A model written in cat as an ExecutionJudge: what an enumeration of executions asks.
#pragma once

#include "model/cat/model.hpp"
#include "model/execution_judge.hpp"
#include "program/memory_order.hpp"

#include <memory>

namespace heddle::cat {

/// The model must outlive the judge. `architecture` says what the sets of events are called.
std::unique_ptr<ExecutionJudge> judge_by(const Model& model, Architecture architecture);

} // namespace heddle::cat
