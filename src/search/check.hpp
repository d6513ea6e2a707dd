// The searches by name: the door through which the command line comes in.
#pragma once

#include "model/registry.hpp"
#include "search/check_options.hpp"
#include "search/session.hpp"

#include <span>
#include <string>
#include <string_view>

namespace heddle {

class ExecutionJudge;

/// The models that programs can be checked under.
std::span<const ModelEntry> models();

/// Explores every execution of the session's program. Pre: options.model is one of models().
CheckResult check(Session& session, const CheckOptions& options);
/// Explores every state instead. Pre: has_states(options.model); no equivalence rf, no limit on executions.
CheckResult check_by_states(Session& session, const CheckOptions& options);
/// The models that have states: machines with store buffers.
bool has_states(const std::string& model);
/// The same by brute force: for small programs, and to check the checker. Takes model, timeout and progress only.
CheckResult check_by_reference(Session& session, const CheckOptions& options);
/// By enumerating complete executions, under whatever can judge them: a model that is only written in cat. `complete_only` says why, for the report.
CheckResult check_by_enumeration(Session& session, ExecutionJudge& judge, const CheckOptions& options,
                                 const std::string& complete_only);

} // namespace heddle
