// Which registers and locals can still be read: at the head of each loop, and anywhere else on demand.
#pragma once

#include "program/program.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace heddle {

/// Fills Loop::live and Loop::live_locals of every loop of the program. Pre: all functions are there (a call writes as many slots as its callee
/// has results).
void find_what_loops_need(Program& program);

/// What of an activation the code from some instruction on can still read. Ascending; constants are not in it.
struct LiveAt {
    std::vector<Slot> slots;
    std::vector<std::uint32_t> locals; ///< into Function::locals
};

/// What is live before instructions of a program, found when asked for and remembered.
class LiveSets {
  public:
    /// `counters`: the counters of loops count as read at the heads of their loops. The program must outlive this.
    LiveSets(const Program& program, bool counters);
    ~LiveSets();
    LiveSets(const LiveSets&) = delete;
    LiveSets& operator=(const LiveSets&) = delete;

    /// Stays where it is until this goes.
    const LiveAt& before(const Function& function, std::uint32_t pc);

  private:
    struct Known;
    const Program& program_;
    const bool counters_;
    std::unordered_map<const Function*, std::unique_ptr<Known>> known_;
};

} // namespace heddle
