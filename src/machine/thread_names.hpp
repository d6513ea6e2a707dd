// ThreadNames: thread ids that depend on who spawned a thread and as which of its children, never on the interleaving.
#pragma once

#include "program/address.hpp"
#include "support/ids.hpp"

#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace heddle {

/// One per Session, shared by its workers, and only ever grows: the k-th child of a given thread has the same id in every execution of the
/// check. (With several workers the numbers may differ from one run of Heddle to the next when more than one thread spawns; within a
/// run they agree.)
class ThreadNames {
  public:
    /// Nothing when the program has more threads than addresses can name (kMaxThreads).
    std::optional<ThreadId> child(ThreadId parent, std::uint64_t nth) {
        const std::scoped_lock guard(mutex_);
        const auto fresh = static_cast<std::uint32_t>(names_.size() + 1);
        const auto [it, added] = names_.try_emplace({parent.index, nth}, ThreadId(fresh));
        if (added && fresh >= kMaxThreads) {
            names_.erase(it);
            return std::nullopt;
        }
        return it->second;
    }

  private:
    std::mutex mutex_;
    std::map<std::pair<std::uint32_t, std::uint64_t>, ThreadId> names_;
};

} // namespace heddle
