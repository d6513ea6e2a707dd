// Builds witnesses by hand, for tests of the reports without a search.
#pragma once

#include "search/check_result.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace heddle::testing_support {

/// Events in the order they are added; each call gives the position of its event. Locations are single letters; all start as 0.
class WitnessBuilder {
  public:
    explicit WitnessBuilder(const std::string& locations) {
        for (const char name : locations) {
            init_[name] = push({.kind = EventKind::Init, .location = address(name)}, 0, name, 0);
            coherence_[name] = {init_[name]};
        }
    }

    std::size_t write(unsigned thread, char name, std::uint64_t value, Order order = Order::Relaxed) {
        const std::size_t e =
            push({.kind = EventKind::Write, .order = order, .thread = ThreadId(thread), .location = address(name)}, value, name);
        coherence_[name].push_back(e);
        return e;
    }
    std::size_t read(unsigned thread, char name, std::size_t source, Order order = Order::Relaxed) {
        return push(
            {.kind = EventKind::Read, .order = order, .thread = ThreadId(thread), .location = address(name), .source = source},
            witness_.events[source].value.lo, name);
    }
    std::size_t read_initial(unsigned thread, char name) { return read(thread, name, init_[name]); }
    /// The position of its read; the write is the next one.
    std::size_t update(unsigned thread, char name, std::size_t source, std::uint64_t value) {
        const std::size_t r = read(thread, name, source, Order::Acquire);
        witness_.events[r].event.update = true;
        const std::size_t w = write(thread, name, value, Order::Release);
        witness_.events[w].event.update = true;
        witness_.events[w].event.update_read = r;
        return r;
    }
    /// Anything without a location.
    std::size_t other(unsigned thread, EventKind kind, unsigned other = 0, Order order = Order::NonAtomic) {
        return push({.kind = kind, .order = order, .thread = ThreadId(thread), .other = ThreadId(other)}, 0);
    }
    std::size_t object(unsigned thread, EventKind kind, Address location, std::string name) {
        const std::size_t e = push({.kind = kind, .thread = ThreadId(thread), .location = location}, 0);
        witness_.events[e].name = std::move(name);
        return e;
    }

    [[nodiscard]] std::size_t init(char name) const { return init_.at(name); }
    std::vector<std::size_t>& coherence(char name) { return coherence_[name]; }
    /// The place of an event is the line that its position says, unless set here.
    WitnessEvent& operator[](std::size_t e) { return witness_.events[e]; }

    [[nodiscard]] Witness build() const {
        Witness w = witness_;
        for (const auto& [name, writes] : coherence_) {
            if (writes.size() > 1) {
                w.coherence.push_back(writes);
            }
        }
        return w;
    }

    static Address address(char name) {
        return make_static_address(AddressKind::Global, static_cast<std::uint32_t>(name), kGuard);
    }

  private:
    std::size_t push(Event event, std::uint64_t value, char name = 0, std::uint32_t line = 1) {
        const std::size_t e = witness_.events.size();
        event.index = event.kind == EventKind::Init ? 0 : next_index_[event.thread.index]++;
        witness_.events.push_back({.event = event,
                                   .place = PlaceId(line == 0 ? 0 : static_cast<std::uint32_t>(e)),
                                   .value = {.lo = value},
                                   .size = 4,
                                   .name = name == 0 ? std::string() : std::string(1, name)});
        return e;
    }

    Witness witness_;
    std::map<char, std::size_t> init_;
    std::map<char, std::vector<std::size_t>> coherence_;
    std::map<std::uint32_t, std::uint32_t> next_index_;
};

/// A program without code whose place k is line k of prog.c.
inline Program program_with_lines(std::uint32_t lines) {
    Program program;
    program.files = {"prog.c"};
    program.names = {""};
    for (std::uint32_t k = 1; k <= lines; ++k) {
        program.places.push_back({.file = 0, .line = k, .column = 5});
    }
    return program;
}

} // namespace heddle::testing_support
