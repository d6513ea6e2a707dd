#include "model/registry.hpp"

#include "model/ordered_model.hpp"
#include "model/ra_model.hpp"
#include "model/rc11_model.hpp"

#include <algorithm>
#include <array>

namespace heddle {
namespace {

template <Buffer buffer> std::unique_ptr<MemoryModel> ordered(const ExecutionGraph& g) {
    return std::make_unique<OrderedModel>(g, buffer);
}
template <class Model> std::unique_ptr<MemoryModel> plain(const ExecutionGraph& g) { return std::make_unique<Model>(g); }

constexpr std::array kModels{
    ModelEntry{"sc", "sequential consistency", ordered<Buffer::None>},
    ModelEntry{"tso", "x86-TSO: a store buffer per thread", ordered<Buffer::PerThread>},
    ModelEntry{"pso", "SPARC PSO: a store buffer per thread and location", ordered<Buffer::PerLocation>},
    ModelEntry{"ra", "release/acquire: all accesses synchronise, no global order", plain<RaModel>},
    ModelEntry{"rc11", "repaired C11, C++20 release sequences; a data race is an error", plain<Rc11Model>},
};

} // namespace

std::span<const ModelEntry> all_models() { return kModels; }

const ModelEntry* find_model(std::string_view name) {
    const auto it = std::ranges::find(kModels, name, &ModelEntry::name);
    return it == kModels.end() ? nullptr : &*it;
}

} // namespace heddle
