// Happened: what a step did, in the order it did it: from this a witness is told. Only noted while a path is being replayed.
#pragma once

#include "machine/action.hpp"
#include "machine/value.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace heddle::stateful {

struct Happened {
    enum class Kind : std::uint8_t {
        Read,    ///< `value`, from the store `tag` in the thread's own buffer, or from memory
        Write,   ///< the store `tag` of `value` is issued
        Reaches, ///< the store `tag` reaches memory
        Other,   ///< a fence, a thread started, joined or ended, an object made or freed, a choice of `value`
    };
    Kind kind = Kind::Other;
    ThreadId thread{};
    Action action{}; ///< not of Reaches
    Value value{};
    std::optional<std::uint32_t> tag{};
    bool update = false;
    ThreadId other{}; ///< started or joined
};

struct Log {
    bool on = false;
    std::vector<Happened> entries{};
    std::uint32_t next_tag = 0;

    void note(Happened h) {
        if (on) {
            entries.push_back(std::move(h));
        }
    }
};

} // namespace heddle::stateful
