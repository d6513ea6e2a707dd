#include "frontend/generate/name.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tuple>
#include <utility>

namespace heddle::generate {
namespace {

using Kind = Relation::Kind;
using Ends = ThreadShape::Ends;

std::string lower(std::string_view text) {
    std::string result(text);
    std::ranges::transform(result, result.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::string_view word_of(Ends ends) {
    constexpr std::array<std::string_view, 6> kWords = {"W", "WW", "RR", "RW", "WR", "R"};
    return kWords[static_cast<std::size_t>(ends)];
}

std::string step_name(const Vocabulary& vocabulary, const Relation& relation) {
    switch (relation.kind) {
    case Kind::Rf:
        return "rfi";
    case Kind::Fr:
        return "fri";
    case Kind::Co:
        return "coi";
    case Kind::Po:
        return "po";
    case Kind::Fence:
        return std::string(vocabulary.fences[relation.fence].suffix);
    case Kind::Addr:
        return "addr";
    case Kind::Data:
        return "data";
    case Kind::Ctrl:
        return "ctrl";
    case Kind::CtrlFence:
        return "ctrl" + lower(vocabulary.control_fence);
    }
    return {};
}

/// Whether neither relation says if the access between them reads or writes. (The accesses at the ends of a thread are in the name's first part.)
bool leaves_direction_open(const Relation& before, const Relation& after) {
    const bool before_open = !before.is_communication() && before.kind != Kind::Data;
    const bool after_open = after.kind == Kind::Po || after.kind == Kind::Fence;
    return before_open && after_open;
}

/// The part of the name for the shape alone, empty when it has no name of its own.
std::string known_base(const std::vector<Ends>& ends, bool single_location) {
    using enum Ends;
    static const std::vector<std::pair<std::vector<Ends>, std::string_view>> one_location = {
        {{WW}, "CoWW"}, {{RW}, "CoRW1"}, {{WR}, "CoWR0"}, {{W, RR}, "CoRR"}, {{W, RW}, "CoRW2"}, {{W, WR}, "CoWR"}};
    static const std::vector<std::pair<std::vector<Ends>, std::string_view>> several = {
        {{WW, RR}, "MP"},         {{WR, WR}, "SB"},          {{RW, RW}, "LB"},           {{WW, WW}, "2+2W"},
        {{WW, RW}, "S"},          {{WW, WR}, "R"},           {{W, RW, RR}, "WRC"},       {{W, RR, WR}, "RWC"},
        {{W, RW, RW}, "WWC"},     {{W, RW, WR}, "WRW+WR"},   {{W, RW, WW}, "WRW+2W"},    {{W, RR, WW}, "WRR+2W"},
        {{WW, RW, RR}, "ISA2"},   {{WW, RR, WR}, "W+RWC"},   {{WW, RW, WR}, "Z6.0"},     {{WW, WW, RW}, "Z6.1"},
        {{WW, RW, RW}, "Z6.2"},   {{WW, WW, RR}, "Z6.3"},    {{WW, WR, WR}, "Z6.4"},     {{WW, WW, WR}, "Z6.5"},
        {{W, RR, W, RR}, "IRIW"}, {{W, RW, W, RW}, "IRWIW"}, {{W, RR, W, RW}, "IRRWIW"},
    };
    const auto& table = single_location ? one_location : several;
    const auto at = std::ranges::find(table, ends, [](const auto& row) { return row.first; });
    if (at != table.end()) {
        return std::string(at->second);
    }
    if (single_location || ends.size() < 3 || std::ranges::any_of(ends, [&](Ends e) { return e != ends.front(); })) {
        return {};
    }
    switch (ends.front()) {
    case WR:
        return fmt::format("{}.SB", ends.size());
    case RW:
        return fmt::format("{}.LB", ends.size());
    case WW:
        return fmt::format("{}.2W", ends.size());
    default:
        return {};
    }
}

} // namespace

ThreadShape shape_of(const Vocabulary& vocabulary, std::span<const Relation> inner, const Relation& outgoing) {
    ThreadShape shape;
    const bool last_reads = outgoing.source == Direction::Read;
    if (inner.empty()) {
        shape.ends = last_reads ? Ends::R : Ends::W;
        shape.mark = vocabulary.marks[outgoing.source_mark.value_or(kUnmarked)].name;
        return shape;
    }
    const bool first_reads = inner.front().source == Direction::Read;
    shape.ends = first_reads ? (last_reads ? Ends::RR : Ends::RW) : (last_reads ? Ends::WR : Ends::WW);
    for (std::size_t k = 0; k < inner.size(); ++k) {
        const Relation& step = inner[k];
        shape.suffix += k == 0 ? "" : "-";
        shape.suffix += step_name(vocabulary, step);
        if (step.same_location && !step.is_communication()) {
            shape.suffix += 's';
        }
        if (k + 1 < inner.size() && leaves_direction_open(step, inner[k + 1])) {
            shape.suffix += letter(step.target);
        }
        const Mark source = step.source_mark.value_or(kUnmarked);
        const Mark target = step.target_mark.value_or(kUnmarked);
        if (source != kUnmarked || target != kUnmarked) {
            shape.suffix += lower(vocabulary.marks[source].name) + lower(vocabulary.marks[target].name);
        }
    }
    return shape;
}

std::size_t first_of(const std::vector<ThreadShape>& threads) {
    const std::size_t n = threads.size();
    const auto less = [&](std::size_t a, std::size_t b, auto key) {
        for (std::size_t k = 0; k < n; ++k) {
            const auto& of_a = threads[(a + k) % n];
            const auto& of_b = threads[(b + k) % n];
            if (key(of_a) != key(of_b)) {
                return key(of_a) < key(of_b) ? -1 : 1;
            }
        }
        return 0;
    };
    std::size_t best = 0;
    for (std::size_t k = 1; k < n; ++k) {
        int order = less(k, best, [](const ThreadShape& t) { return t.ends; });
        if (order == 0) {
            order = less(k, best, [](const ThreadShape& t) { return std::tie(t.suffix, t.mark); });
        }
        best = order < 0 ? k : best;
    }
    return best;
}

std::string name_of(const std::vector<ThreadShape>& threads, bool single_location, std::string_view unmarked) {
    std::vector<Ends> ends;
    std::vector<std::string> parts;
    std::string marks;
    bool marked = false;
    for (const ThreadShape& thread : threads) {
        ends.push_back(thread.ends);
        if (!thread.suffix.empty()) {
            parts.push_back(thread.suffix);
        } else {
            marks += thread.mark;
            marked = marked || thread.mark != unmarked;
        }
    }
    std::string name = known_base(ends, single_location);
    if (name.empty()) {
        std::vector<std::string_view> words;
        std::ranges::transform(ends, std::back_inserter(words), word_of);
        name = fmt::format("{}{}", single_location ? "Co+" : "", fmt::join(words, "+"));
    }
    const bool alike = std::ranges::all_of(parts, [&](const std::string& p) { return p == parts.front(); });
    if (alike && parts.front() == (single_location ? "pos" : "po")) {
        // The plain test has the plain name: MP, CoRR.
    } else if (alike && parts.size() > 1) {
        name += fmt::format("+{}s", parts.front());
    } else {
        name += fmt::format("+{}", fmt::join(parts, "+"));
    }
    return marked ? fmt::format("{}+{}", name, marks) : name;
}

} // namespace heddle::generate
