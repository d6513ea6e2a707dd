// The native models by name.
#pragma once

#include "model/axioms.hpp"
#include "model/memory_model.hpp"
#include "model/store_buffer.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace heddle {

struct ModelEntry {
    std::string_view name;
    std::string_view summary; ///< one line
    std::unique_ptr<MemoryModel> (*construct)(const ExecutionGraph& graph, const Axioms& axioms, const ModelWays& ways);
    /// The store buffers that a machine with one memory needs to behave as the model says; nothing: no such machine does.
    std::optional<Buffer> buffer{};
    /// What such a machine with these buffers does the model allows, too; nothing: that is known of none.
    std::optional<Buffer> allows = buffer;

    [[nodiscard]] const Axioms& axioms() const;
    [[nodiscard]] std::unique_ptr<MemoryModel> make(const ExecutionGraph& graph, const ModelWays& ways = {}) const {
        return construct(graph, axioms(), ways);
    }
    /// Of a processor: programs are compiled for it before they are explored, the graph may have holes, and dependencies are tracked.
    [[nodiscard]] bool needs_dependencies() const { return axioms().is_processor(); }
};

std::span<const ModelEntry> all_models();
const ModelEntry* find_model(std::string_view name);

} // namespace heddle
