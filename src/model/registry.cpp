#include "model/registry.hpp"

#include "model/dependency_model.hpp"
#include "model/ordered_model.hpp"
#include "model/ra_model.hpp"
#include "model/rc11_model.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

template <Buffer buffer> std::unique_ptr<MemoryModel> ordered(const ExecutionGraph& g, const Axioms&, const ModelWays&) {
    return std::make_unique<OrderedModel>(g, buffer);
}
std::unique_ptr<MemoryModel> ra(const ExecutionGraph& g, const Axioms&, const ModelWays&) { return std::make_unique<RaModel>(g); }
std::unique_ptr<MemoryModel> rc11(const ExecutionGraph& g, const Axioms&, const ModelWays& ways) {
    return std::make_unique<Rc11Model>(g, ways);
}
std::unique_ptr<MemoryModel> processor(const ExecutionGraph& g, const Axioms& axioms, const ModelWays& ways) {
    return std::make_unique<DependencyModel>(g, axioms, ways);
}

constexpr std::array kModels{
    ModelEntry{"sc", "sequential consistency", ordered<Buffer::None>, Buffer::None},
    ModelEntry{"tso", "x86-TSO: a store buffer per thread", ordered<Buffer::PerThread>, Buffer::PerThread},
    ModelEntry{"pso", "SPARC PSO: a store buffer per thread and location", ordered<Buffer::PerLocation>, Buffer::PerLocation},
    // Both may be compiled to x86 as store_buffer.hpp says: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing sequential consistency in C/C++11", PLDI 2017.
    ModelEntry{"ra", "release/acquire: all accesses synchronise, no global order", ra, std::nullopt, Buffer::PerThread},
    ModelEntry{"rc11", "repaired C11, C++20 release sequences; a data race is an error", rc11, std::nullopt, Buffer::PerThread},
    ModelEntry{"power", "POWER: reorders whatever no dependency or fence orders", processor},
    ModelEntry{"armv8", "ARMv8 (AArch64): reorders, but all threads see writes at the same time", processor},
    ModelEntry{"armv8-lse", "armv8 with updates that are single instructions (LSE)", processor},
};

} // namespace

const Axioms& ModelEntry::axioms() const {
    const Axioms* const found = find_axioms(name);
    HEDDLE_CHECK(found, "a model without axioms");
    return *found;
}

std::span<const ModelEntry> all_models() { return kModels; }

const ModelEntry* find_model(std::string_view name) {
    const auto it = std::ranges::find(kModels, name, &ModelEntry::name);
    return it == kModels.end() ? nullptr : &*it;
}

} // namespace heddle
