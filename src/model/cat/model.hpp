// Model: a memory model written in cat (Alglave, Cousot, Maranget 2016), parsed and resolved.
#pragma once

#include "program/memory_order.hpp"
#include "support/diagnostic.hpp"

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace heddle::cat {

struct Code; ///< code.hpp: expressions as a shared graph, checks

class Model {
  public:
    /// Reads a file and what it includes, searched beside it and then in `folders`. Errors name file, line and column.
    static std::expected<Model, Diagnostic> load(const std::filesystem::path& file,
                                                 const std::vector<std::filesystem::path>& folders);

    [[nodiscard]] const std::string& name() const { return name_; }
    /// Do the checks imply acyclic (po-loc | rf | co | fr), whatever the execution? Then enumeration need not offer others.
    [[nodiscard]] bool implies_coherence() const;
    /// Is every check monotone: once broken by a part of an execution, broken by the whole? Then partial executions may be pruned.
    [[nodiscard]] bool is_monotone() const;
    /// Why it is not: the check, and where in the file.
    [[nodiscard]] std::string why_not_monotone() const;
    /// Does it use a word (a set of events) that only this architecture has? Elsewhere that word names no event.
    [[nodiscard]] bool speaks_of(Architecture architecture) const;
    [[nodiscard]] const Code& code() const { return *code_; }

  private:
    std::string name_;
    std::shared_ptr<const Code> code_;
};

} // namespace heddle::cat
