// ForcedCoherence: coherence left open, for models in which happens-before alone decides about it (ra; rc11 without seq_cst).
//
// What happens before a write or before a read of it, and what such events have read, comes before that write in coherence: forced. An
// update stands right behind what it updates, so writes come in *blocks*, each an ordinary write (or Init) followed by updates. A coherence exists
// exactly when the forced order of the blocks has no cycle and none goes backwards in its own block: any order of the blocks that respects
// it will do. A new read orders nothing but blocks of its own location, so that is all there is to look at.
#pragma once

#include "model/memory_model.hpp"

#include <cstdint>
#include <vector>

namespace heddle {

class ForcedCoherence {
  public:
    /// Pre: for admits and latest, a model whose order does not contain coherence. Both outlive this.
    ForcedCoherence(const ExecutionGraph& graph, const MemoryModel& model) : graph_(graph), model_(model) {}

    /// Is there a coherence with `read`, which was added last? Without it there was.
    bool admits(EventId read);
    /// A write that may come last in the execution made of the included events: a function of that execution.
    EventId latest(LocationId location, EventTest included);
    /// Foresight: which writes of the location, by rank, could be read by the next read of a thread that knows this? Valid until asked again.
    [[nodiscard]] std::vector<std::uint8_t>& readable(LocationId location, ConstClock known);

  private:
    // Where no write is an update each is a block by itself, and sets of blocks are bits by rank.
    [[nodiscard]] bool is_plain(LocationId location) const;
    [[nodiscard]] static constexpr std::uint64_t bit(std::size_t rank) { return std::uint64_t{1} << rank; }
    /// Of a plain location: which writes come before one that is known?
    template <class F> [[nodiscard]] std::uint64_t overwritten(LocationId location, ConstClock known, F&& included);
    /// Is the write known, or a read of it?
    template <class F> [[nodiscard]] bool is_known(ConstClock known, EventId write, F&& included) const;
    /// What the write and its reads know. Valid until asked again.
    template <class F> [[nodiscard]] ConstClock joined(EventId write, F&& included);

    struct Block {
        std::vector<EventId> writes; ///< in coherence order
        std::vector<std::uint32_t> known;
    };
    template <class F> void find_blocks(LocationId location, F&& included, bool learns = true);
    void learn(Block& block, EventId e);
    /// What all that is in the block knows.
    template <class F> void learn(Block& block, F&& included);
    /// Does a write of `a`, or a read of one, happen before something in `b`?
    template <class F> bool forced(const Block& a, const Block& b, F&& included) const;

    const ExecutionGraph& graph_;
    const MemoryModel& model_;
    std::vector<Block> blocks_; ///< the first `count_` are in use
    std::size_t count_ = 0;
    std::vector<std::size_t> path_;
    std::vector<bool> seen_;
    std::vector<std::uint8_t> readable_;
    std::vector<std::uint32_t> joined_; ///< see overwritten
};

} // namespace heddle
