#include "report/story_lines.hpp"

#include "report/event_text.hpp"
#include "report/interleave.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace heddle {
namespace {

class LineMaker {
  public:
    LineMaker(const Program& program, const Violation& violation)
        : program_(program), violation_(violation), witness_(violation.witness) {
        if (witness_.run.empty()) {
            order_ = interleave(witness_);
            stale_ = stale_reads(witness_, order_);
            early_ = early_reads(witness_, order_);
        }
        for (const WitnessEvent& e : witness_.events) {
            if (e.event.kind == EventKind::Free) {
                freed_.insert(e.event.location);
            }
        }
    }

    std::vector<StoryLine> make() {
        for (const std::size_t e : order_) {
            if (is_worth_telling(e)) {
                tell(e);
            }
        }
        // What reaches memory when all is over is of no interest.
        const auto is_over = [this](const Witness::Moment& m) {
            return m.lands || witness_.events[m.event].event.kind == EventKind::End;
        };
        std::size_t told = witness_.run.size();
        while (told > 0 && is_over(witness_.run[told - 1])) {
            --told;
        }
        for (std::size_t k = 0; k < witness_.run.size(); ++k) {
            const Witness::Moment& m = witness_.run[k];
            if (m.lands && k < told && witness_.events[m.event].owner < PartOwner::Condition) {
                add_landing(m.event);
            } else if (m.lands) {
                continue;
            } else if (is_worth_telling(m.event) && tell(m.event) && lands_later(m.event)) {
                lines_.back().text += "  (buffered)";
            }
        }
        add_violation();
        return std::move(lines_);
    }

  private:
    [[nodiscard]] bool is_worth_telling(std::size_t position) const {
        const WitnessEvent& e = witness_.events[position];
        if (e.owner == PartOwner::Runtime && !is_about(position)) {
            return false;
        }
        const TrapKind kind = violation_.trap.kind;
        const bool on_stack = kind_of(e.event.location) == AddressKind::Stack;
        const auto& object = violation_.trap.object;
        switch (e.event.kind) {
        case EventKind::Init:
        case EventKind::Begin: // Spawn says it
            return false;
        case EventKind::End: // Join says it; who is not there any more explains why nobody wakes the others
            return kind == TrapKind::Deadlock;
        case EventKind::Write: // of an update: its read speaks for both
            return !e.event.update_read;
        case EventKind::Alloc:
            return (object && object->allocated == e.place) || (!on_stack && freed_.contains(e.event.location));
        case EventKind::Free:
            return !on_stack || (object && object->freed == e.place);
        default:
            return true;
        }
    }

    /// Returns whether it has a line that says what the event does.
    bool tell(std::size_t e) {
        if (witness_.events[e].owner == PartOwner::Condition && !is_about(e)) {
            tell_condition(e);
            return false;
        }
        add(e);
        return true;
    }

    /// What goes on inside a condition variable is one step of the program. Who waits there has a word of its own for the wake-up.
    void tell_condition(std::size_t e) {
        const WitnessEvent& event = witness_.events[e];
        const auto is_of_call = [&](const WitnessEvent& other) {
            return other.event.thread == event.event.thread && other.place == event.place;
        };
        const std::size_t before = last_condition_.contains(event.event.thread) ? last_condition_[event.event.thread] : e;
        const auto same = before != e && is_of_call(witness_.events[before]) && witness_.events[before].name == event.name &&
                          !began_anew(before, e);
        last_condition_[event.event.thread] = e;
        if (same) {
            return;
        }
        const bool waits = std::ranges::any_of(witness_.events, [&](const WitnessEvent& other) {
            return is_of_call(other) && other.owner == PartOwner::Runtime && other.event.kind == EventKind::Write &&
                   kind_of(other.event.location) == AddressKind::Stack && thread_of(other.event.location) == other.event.thread;
        });
        // A signal or a broadcast (or the end of the variable) looks first, and leaves it at that when there is nobody.
        const bool nobody = event.event.is_read() && !event.lock && event.value.lo == 0;
        const bool plain = event.event.order == Order::NonAtomic;
        lines_.push_back({.thread = event.event.thread,
                          .place = line_text(program_, event.place),
                          .text = (plain    ? "initialises "
                                   : waits  ? "waits on "
                                   : nobody ? "finds nobody waiting on "
                                            : "signals ") +
                                  event.name,
                          .event = e,
                          .location = event.event.location});
    }
    /// Did the thread do something else in between? Then it is another call at the same line.
    [[nodiscard]] bool began_anew(std::size_t from, std::size_t to) const {
        const auto between = std::ranges::subrange(witness_.events.begin() + static_cast<std::ptrdiff_t>(from),
                                                   witness_.events.begin() + static_cast<std::ptrdiff_t>(to));
        const WitnessEvent& event = witness_.events[to];
        return std::ranges::any_of(between, [&](const WitnessEvent& other) {
            return other.event.thread == event.event.thread && other.place != event.place && other.event.kind != EventKind::Init;
        });
    }

    void add(std::size_t e) {
        const WitnessEvent& event = witness_.events[e];
        StoryLine line{
            .thread = event.event.thread, .place = line_text(program_, event.place), .text = event_text(witness_, e), .event = e};
        if (event.event.is_access()) {
            line.location = event.event.location;
        }
        if (const auto missed = stale_.find(e); missed != stale_.end()) {
            line.notes.push_back(stale_note(missed->second));
        }
        if (early_.contains(e)) {
            line.notes.push_back(early_note(*event.event.source));
        }
        const auto write = write_of_update(witness_, e);
        if (is_about(e)) {
            line.notes.push_back(about_note(e));
        } else if (write && is_about(*write)) {
            line.notes.push_back(about_note(*write));
        }
        lines_.push_back(std::move(line));
    }

    /// A write that was in a store buffer reaches memory.
    void add_landing(std::size_t e) {
        const WitnessEvent& event = witness_.events[e];
        lines_.push_back({.thread = event.event.thread,
                          .place = line_text(program_, event.place),
                          .text = fmt::format("{} = {} reaches memory", event.name, value_text(event)),
                          .event = e,
                          .location = event.event.location});
    }
    [[nodiscard]] bool lands_later(std::size_t e) const {
        return std::ranges::any_of(witness_.run, [e](const Witness::Moment& m) { return m.lands && m.event == e; });
    }

    [[nodiscard]] bool is_about(std::size_t e) const { return std::ranges::find(violation_.about, e) != violation_.about.end(); }

    [[nodiscard]] std::string stale_note(std::size_t missed) const {
        const WitnessEvent& w = witness_.events[missed];
        return fmt::format("stale: {} had already written {}{}", thread_text(w.event.thread), value_text(w),
                           in_brackets(line_text(program_, w.place)));
    }

    [[nodiscard]] std::string early_note(std::size_t source) const {
        const WitnessEvent& w = witness_.events[source];
        return fmt::format("early: {} writes it below{}", thread_text(w.event.thread), in_brackets(line_text(program_, w.place)));
    }

    [[nodiscard]] std::string about_note(std::size_t e) const {
        if (violation_.about.size() != 2) {
            return "this access";
        }
        const std::size_t other = violation_.about[violation_.about.front() == e ? 1 : 0];
        const WitnessEvent& o = witness_.events[other];
        return fmt::format("conflicts with {}{}", thread_text(o.event.thread), in_brackets(line_text(program_, o.place)));
    }

    static std::string in_brackets(const std::string& text) { return text.empty() ? "" : " (" + text + ")"; }

    void add_violation() {
        const TrapKind kind = violation_.trap.kind;
        if (kind == TrapKind::Leak || violation_.about.size() == 2) {
            return; // known only when all is over; or the two accesses are marked already
        }
        const auto end = [this](const Trap& trap, ThreadId thread, std::string text) {
            lines_.push_back({.thread = thread, .place = line_text(program_, trap.stack.front()), .text = std::move(text)});
        };
        if (kind != TrapKind::Deadlock) {
            return end(violation_.trap, violation_.thread, std::string(word_of(kind)));
        }
        end(violation_.trap, violation_.thread, "waits for good");
        for (const Violation::Other& other : violation_.also) {
            end(other.trap, other.thread, "waits for good");
        }
    }

    const Program& program_;
    const Violation& violation_;
    const Witness& witness_;
    std::vector<std::size_t> order_;
    std::map<std::size_t, std::size_t> stale_;
    std::set<std::size_t> early_;
    std::map<ThreadId, std::size_t> last_condition_; ///< of each thread, the event inside a condition variable that came last
    std::set<Address> freed_;                        ///< objects that end in the witness
    std::vector<StoryLine> lines_;
};

/// Chooses lines until the budget is spent.
class Chooser {
  public:
    Chooser(const std::vector<StoryLine>& lines, std::size_t budget) : lines_(lines), left_(budget), chosen_(lines.size()) {}

    void choose(std::size_t k) {
        if (left_ > 0 && !chosen_[k]) {
            chosen_[k] = true;
            --left_;
            if (lines_[k].location) {
                locations_.insert(*lines_[k].location);
            }
        }
    }
    /// The last `count` lines that satisfy `which`.
    template <class F> void choose_last(std::size_t count, F&& which) {
        for (std::size_t k = lines_.size(); k-- > 0 && count > 0;) {
            if (which(lines_[k])) {
                choose(k);
                --count;
            }
        }
    }
    /// The last access of each location, then the one before that of each, and so on: a busy location leaves room for the others.
    void choose_in_turn(const std::set<Address>& locations) {
        std::map<Address, std::size_t> seen;
        std::vector<std::pair<std::size_t, std::size_t>>
            turns; ///< how many accesses of its location are later; line from the end
        for (std::size_t k = lines_.size(); k-- > 0;) {
            if (lines_[k].location && locations.contains(*lines_[k].location)) {
                turns.emplace_back(seen[*lines_[k].location]++, lines_.size() - k);
            }
        }
        std::ranges::sort(turns);
        for (const auto& [later, from_end] : turns) {
            choose(lines_.size() - from_end);
        }
    }
    [[nodiscard]] const std::set<Address>& locations() const { return locations_; }
    [[nodiscard]] bool chosen(std::size_t k) const { return chosen_[k]; }

  private:
    const std::vector<StoryLine>& lines_;
    std::size_t left_;
    std::vector<bool> chosen_;
    std::set<Address> locations_; ///< of the lines chosen
};

} // namespace

std::vector<StoryLine> story_lines(const Program& program, const Violation& violation) {
    return LineMaker(program, violation).make();
}

std::vector<StoryLine> shortened(std::vector<StoryLine> lines, ThreadId violating, std::size_t max_lines) {
    if (max_lines == 0 || lines.size() <= max_lines) {
        return lines;
    }
    const std::size_t part = std::max<std::size_t>(max_lines / 6, 1);
    Chooser chooser(lines, max_lines);
    chooser.choose_last(2 * part, [](const StoryLine& l) { return !l.notes.empty(); });
    chooser.choose_last(part, [&](const StoryLine& l) { return l.thread == violating; });
    const std::set<Address> involved = chooser.locations();
    chooser.choose_last(part, [](const StoryLine&) { return true; });
    for (std::size_t k = 0; k < part / 2; ++k) {
        chooser.choose(k);
    }
    chooser.choose_in_turn(involved);
    chooser.choose_last(lines.size(), [](const StoryLine&) { return true; });
    std::vector<StoryLine> kept;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        if (chooser.chosen(k)) {
            kept.push_back(std::move(lines[k]));
        } else if (!kept.empty() && kept.back().left_out > 0) {
            ++kept.back().left_out;
        } else {
            kept.push_back({.left_out = 1});
        }
    }
    return kept;
}

} // namespace heddle
