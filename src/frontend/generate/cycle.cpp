#include "frontend/generate/cycle.hpp"

#include "frontend/generate/name.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::generate {
namespace {

constexpr std::size_t kMaxLocations = 26; // they are named by letters

std::string spell(const Vocabulary& vocabulary, const std::vector<Relation>& relations) {
    std::vector<std::string> words;
    for (const Relation& relation : relations) {
        words.push_back(to_string(vocabulary, relation));
    }
    return fmt::format("{}", fmt::join(words, " "));
}

std::string noun(Direction direction) { return direction == Direction::Read ? "a read" : "a write"; }

/// Makes neighbours agree on the mark of the access between them; returns what is wrong, or nothing.
std::string settle_marks(const Vocabulary& vocabulary, std::vector<Relation>& relations) {
    for (std::size_t k = 0; k < relations.size(); ++k) {
        Relation& before = relations[k];
        Relation& after = relations[(k + 1) % relations.size()];
        if (before.target_mark && after.source_mark && before.target_mark != after.source_mark) {
            return fmt::format("{} and {}, which follows it, mark the access between them differently ({} and {})",
                               to_string(vocabulary, before), to_string(vocabulary, after),
                               vocabulary.marks[*before.target_mark].name, vocabulary.marks[*after.source_mark].name);
        }
        const Mark mark = before.target_mark.value_or(after.source_mark.value_or(kUnmarked));
        before.target_mark = mark;
        after.source_mark = mark;
    }
    return {};
}

/// What makes the relations no cycle, in words; empty if they are one.
std::string complaint(const Vocabulary& vocabulary, const std::vector<Relation>& relations) {
    const std::size_t n = relations.size();
    if (n < 2) {
        return "a cycle has at least two relations";
    }
    for (std::size_t k = 0; k < n; ++k) {
        const Relation& before = relations[k];
        const Relation& after = relations[(k + 1) % n];
        if (before.target != after.source) {
            return fmt::format("{} ends at {}, but {}, which {}, starts at {}", to_string(vocabulary, before),
                               noun(before.target), to_string(vocabulary, after),
                               k + 1 < n ? "follows it" : "is the next again when the cycle closes", noun(after.source));
        }
    }
    if (std::ranges::none_of(relations, &Relation::external)) {
        return "it has no external communication (Rfe, Fre, Coe), so it never leaves its thread and runs along program order "
               "only";
    }
    const auto moves = std::ranges::count_if(relations, [](const Relation& r) { return !r.same_location; });
    if (moves == 1) {
        const auto at = std::ranges::find(relations, false, &Relation::same_location);
        return fmt::format("{} is the only relation that changes the location, so it would have to end where it starts",
                           to_string(vocabulary, *at));
    }
    if (static_cast<std::size_t>(moves) > kMaxLocations) {
        return fmt::format("it has more than {} locations", kMaxLocations);
    }
    const auto steps = std::ranges::count_if(relations, [](const Relation& r) { return !r.is_communication(); });
    if (steps == 0) {
        return "it is made of communications only, and those of one location are never in a cycle";
    }
    if (moves == 0 && steps != 1) {
        return "all its accesses are to one location, and it has more than one relation besides communications: which of them "
               "contradicts "
               "coherence is not said. Leave one, or let some change the location";
    }
    return {};
}

/// The shapes of the threads, the first of which starts at relation 0.
std::vector<ThreadShape> shapes(const Vocabulary& vocabulary, const std::vector<Relation>& relations) {
    std::vector<ThreadShape> threads;
    std::size_t start = 0;
    for (std::size_t k = 0; k < relations.size(); ++k) {
        if (relations[k].external) {
            threads.push_back(shape_of(vocabulary, std::span(relations).subspan(start, k - start), relations[k]));
            start = k + 1;
        }
    }
    return threads;
}

/// Turns the cycle so that it starts with thread number `thread`.
void turn_to_thread(std::vector<Relation>& relations, std::size_t thread) {
    auto at = relations.begin();
    for (std::size_t k = 0; k < thread; ++k) {
        at = std::next(std::find_if(at, relations.end(), [](const Relation& r) { return r.external; }));
    }
    std::ranges::rotate(relations, at);
}

void place_accesses(Cycle& cycle) {
    const auto moves = std::ranges::count_if(cycle.relations, [](const Relation& r) { return !r.same_location; });
    const auto locations = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(1, moves));
    std::uint32_t location = 0;
    for (const Relation& relation : cycle.relations) {
        cycle.accesses.push_back(
            {.direction = relation.source, .mark = *relation.source_mark, .thread = cycle.threads, .location = location});
        cycle.threads += relation.external ? 1 : 0;
        location = (location + (relation.same_location ? 0 : 1)) % locations;
    }
    cycle.writes.assign(locations, 0);
}

void give_values(Cycle& cycle) {
    const std::size_t n = cycle.accesses.size();
    const bool single_location = cycle.writes.size() == 1;
    // Somewhere a stretch of a location starts; from there on, all of them come in order.
    const auto last = std::ranges::find_if(
        cycle.relations, [&](const Relation& r) { return single_location ? !r.is_communication() : !r.same_location; });
    const auto start = static_cast<std::size_t>(last - cycle.relations.begin()) + 1;
    for (std::size_t k = 0; k < n; ++k) {
        Access& access = cycle.accesses[(start + k) % n];
        std::uint32_t& writes = cycle.writes[access.location];
        writes += access.direction == Direction::Write ? 1 : 0;
        access.value = writes;
        const Relation& before = cycle.relations[(start + k + n - 1) % n];
        const Relation& after = cycle.relations[(start + k) % n];
        access.fixed =
            access.direction == Direction::Write || before.kind == Relation::Kind::Rf || after.kind == Relation::Kind::Fr;
    }
}

/// Whether coherence alone puts write `value` of the location before the next one, once every read reads what it should.
bool order_follows(const Cycle& cycle, std::uint32_t location, std::uint32_t value) {
    const auto is = [&](const Access& access, std::uint32_t wanted) {
        return access.fixed && access.location == location && access.value == wanted;
    };
    const auto& all = cycle.accesses;
    for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = a + 1; b < all.size(); ++b) {
            if (all[a].thread == all[b].thread && is(all[a], value) && is(all[b], value + 1)) {
                return true;
            }
        }
    }
    return false;
}

void add_observers(Cycle& cycle) {
    for (std::uint32_t location = 0; location < cycle.writes.size(); ++location) {
        Observer observer{.location = location};
        for (std::uint32_t value = 1; value + 1 < cycle.writes[location]; ++value) {
            if (!order_follows(cycle, location, value)) {
                observer.first = observer.first == 0 ? value : observer.first;
                observer.last = value + 1;
            }
        }
        if (observer.first != 0) {
            cycle.observers.push_back(observer);
        }
    }
}

} // namespace

std::expected<Cycle, Diagnostic> make_cycle(const Vocabulary& vocabulary, std::vector<Relation> relations) {
    std::string wrong = complaint(vocabulary, relations);
    const std::string given = spell(vocabulary, relations);
    if (wrong.empty()) {
        wrong = settle_marks(vocabulary, relations);
    }
    if (!wrong.empty()) {
        return std::unexpected(
            Diagnostic{.kind = Diagnostic::Kind::BadInput, .message = fmt::format("'{}' is no cycle: {}", given, wrong)});
    }
    // A thread starts behind an external communication.
    std::ranges::rotate(relations, std::next(std::ranges::find(relations, true, &Relation::external)));
    turn_to_thread(relations, first_of(shapes(vocabulary, relations)));
    Cycle cycle;
    cycle.relations = std::move(relations);
    place_accesses(cycle);
    give_values(cycle);
    add_observers(cycle);
    cycle.name = name_of(shapes(vocabulary, cycle.relations), cycle.writes.size() == 1, vocabulary.marks.front().name);
    return cycle;
}

std::string to_string(const Vocabulary& vocabulary, const Cycle& cycle) {
    std::vector<Relation> relations = cycle.relations;
    for (Relation& relation : relations) {
        if (relation.source_mark == kUnmarked && relation.target_mark == kUnmarked) {
            relation.source_mark.reset();
            relation.target_mark.reset();
        }
    }
    return spell(vocabulary, relations);
}

} // namespace heddle::generate
