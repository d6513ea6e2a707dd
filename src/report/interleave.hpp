// One interleaving of a witness: its events in an order that a person can follow line by line.
//
// Under a weak model no order may exist in which every read sees the latest write. The order given here keeps program order and the start and end
// of threads in any case. When the witness is sequentially consistent, no read is stale in it; when it is not, writes are held back as long as that
// spares a read from becoming stale. A read comes before the write it reads from (it is early) only where program order and reads-from have a cycle:
// load buffering.
#pragma once

#include "search/check_result.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace heddle {

/// Positions in witness.events, each once, without the Inits. The read and the write of an update stand side by side.
std::vector<std::size_t> interleave(const Witness& witness);

/// The reads that are stale in `order`, a result of interleave: each with the latest write before it, which is not the one it reads from, and
/// comes after that.
std::map<std::size_t, std::size_t> stale_reads(const Witness& witness, const std::vector<std::size_t>& order);
/// The reads that come before the write they read from.
std::set<std::size_t> early_reads(const Witness& witness, const std::vector<std::size_t>& order);

} // namespace heddle
