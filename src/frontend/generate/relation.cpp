#include "frontend/generate/relation.hpp"

#include "support/check.hpp"

#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace heddle::generate {
namespace {

using Kind = Relation::Kind;

/// Takes `word` off the front of `text`, if it is there.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) {
        return false;
    }
    text.remove_prefix(word.size());
    return true;
}

std::optional<Direction> take_direction(std::string_view& text) {
    if (take(text, "R")) {
        return Direction::Read;
    }
    if (take(text, "W")) {
        return Direction::Write;
    }
    return std::nullopt;
}

/// "Rfe" and its like; Ws is the older name of Co.
bool take_communication(std::string_view& text, Relation& relation) {
    constexpr std::array<std::pair<std::string_view, Kind>, 4> kWords = {
        {{"Rf", Kind::Rf}, {"Fr", Kind::Fr}, {"Co", Kind::Co}, {"Ws", Kind::Co}}};
    for (const auto& [word, kind] : kWords) {
        if (take(text, word)) {
            relation.kind = kind;
            relation.same_location = true;
            relation.source = kind == Kind::Fr ? Direction::Read : Direction::Write;
            relation.target = kind == Kind::Rf ? Direction::Read : Direction::Write;
            relation.external = text.starts_with('e');
            return take(text, "e") || take(text, "i");
        }
    }
    return false;
}

bool take_dependency(const Vocabulary& vocabulary, std::string_view& text, Relation& relation) {
    if (take(text, "Addr") && vocabulary.has_addr) {
        relation.kind = Kind::Addr;
    } else if (take(text, "Data") && vocabulary.has_data_and_ctrl) {
        relation.kind = Kind::Data;
    } else if (take(text, "Ctrl") && vocabulary.has_data_and_ctrl) {
        const bool fenced = !vocabulary.control_fence.empty() && take(text, vocabulary.control_fence);
        relation.kind = fenced ? Kind::CtrlFence : Kind::Ctrl;
    } else {
        return false;
    }
    return true;
}

/// Po, a fence, or a dependency, up to the letter that says whether it changes the location.
bool take_program_order(const Vocabulary& vocabulary, std::string_view& text, Relation& relation) {
    if (take(text, "Dp")) {
        return take_dependency(vocabulary, text, relation);
    }
    if (take(text, "Po")) {
        relation.kind = Kind::Po;
        return true;
    }
    // The longest name that fits: DMB.ST is not DMB.
    std::size_t longest = 0;
    for (std::uint8_t k = 0; k < vocabulary.fences.size(); ++k) {
        const std::string_view name = vocabulary.fences[k].name;
        if (text.starts_with(name) && name.size() > longest) {
            longest = name.size();
            relation.kind = Kind::Fence;
            relation.fence = k;
        }
    }
    text.remove_prefix(longest);
    return longest > 0;
}

bool take_location_and_directions(std::string_view& text, Relation& relation) {
    relation.same_location = text.starts_with('s');
    if (!take(text, "s") && !take(text, "d")) {
        return false;
    }
    if (relation.kind >= Kind::Addr) {
        relation.source = Direction::Read;
    } else if (const auto source = take_direction(text)) {
        relation.source = *source;
    } else {
        return false;
    }
    const auto target = take_direction(text);
    relation.target = target.value_or(Direction::Read);
    return target && (relation.kind != Kind::Data || relation.target == Direction::Write);
}

bool fits(const MarkWord& mark, Direction direction) { return direction == Direction::Read ? mark.on_reads : mark.on_writes; }

/// What is left of a name: nothing, or the marks of both accesses.
bool take_marks(const Vocabulary& vocabulary, std::string_view text, Relation& relation) {
    if (text.empty()) {
        return true;
    }
    const auto marks = vocabulary.marks;
    for (Mark a = 0; marks.size() > 1 && a < marks.size(); ++a) {
        for (Mark b = 0; b < marks.size(); ++b) {
            std::string_view rest = text;
            if (take(rest, marks[a].name) && rest == marks[b].name && fits(marks[a], relation.source) &&
                fits(marks[b], relation.target)) {
                relation.source_mark = a;
                relation.target_mark = b;
                return true;
            }
        }
    }
    return false;
}

std::string base_name(const Vocabulary& vocabulary, const Relation& relation) {
    switch (relation.kind) {
    case Kind::Rf:
        return relation.external ? "Rfe" : "Rfi";
    case Kind::Fr:
        return relation.external ? "Fre" : "Fri";
    case Kind::Co:
        return relation.external ? "Coe" : "Coi";
    case Kind::Po:
        return "Po";
    case Kind::Fence:
        return std::string(vocabulary.fences[relation.fence].name);
    case Kind::Addr:
        return "DpAddr";
    case Kind::Data:
        return "DpData";
    case Kind::Ctrl:
        return "DpCtrl";
    case Kind::CtrlFence:
        return fmt::format("DpCtrl{}", vocabulary.control_fence);
    }
    return {};
}

} // namespace

char letter(Direction direction) { return direction == Direction::Read ? 'R' : 'W'; }

std::expected<Relation, Diagnostic> parse_relation(const Vocabulary& vocabulary, std::string_view name) {
    Relation relation;
    std::string_view rest = name;
    bool good = take_communication(rest, relation);
    if (!good) {
        relation = {};
        rest = name;
        good = take_program_order(vocabulary, rest, relation) && take_location_and_directions(rest, relation);
    }
    if (good && take_marks(vocabulary, rest, relation)) {
        return relation;
    }
    return std::unexpected(Diagnostic{
        .kind = Diagnostic::Kind::BadInput,
        .message = fmt::format("{} has no relation '{}'; it has\n{}", vocabulary.word, name, describe_relations(vocabulary))});
}

std::expected<std::vector<Relation>, Diagnostic> parse_relations(const Vocabulary& vocabulary, std::string_view pattern) {
    const std::size_t star = pattern.find('*');
    if (star == std::string_view::npos) {
        const auto relation = parse_relation(vocabulary, pattern);
        if (!relation) {
            return std::unexpected(relation.error());
        }
        return std::vector<Relation>{*relation};
    }
    std::vector<Relation> all;
    std::optional<Diagnostic> complaint;
    for (const char direction : {'R', 'W'}) {
        std::string name(pattern);
        name[star] = direction;
        auto some = parse_relations(vocabulary, name);
        if (some) {
            all.insert(all.end(), some->begin(), some->end());
        } else {
            complaint = some.error();
        }
    }
    // DpData*: what cannot be is left out, as long as something can.
    if (all.empty()) {
        return std::unexpected(*complaint);
    }
    return all;
}

std::string to_string(const Vocabulary& vocabulary, const Relation& relation) {
    std::string text = base_name(vocabulary, relation);
    if (!relation.is_communication()) {
        text += relation.same_location ? 's' : 'd';
        if (relation.kind < Kind::Addr) {
            text += letter(relation.source);
        }
        text += letter(relation.target);
    }
    if (relation.source_mark || relation.target_mark) {
        text += vocabulary.marks[relation.source_mark.value_or(kUnmarked)].name;
        text += vocabulary.marks[relation.target_mark.value_or(kUnmarked)].name;
    }
    return text;
}

std::vector<Relation> usual_relations(const Vocabulary& vocabulary) {
    std::vector<std::string> patterns = {"Rfe", "Fre", "Coe", "Pod**"};
    if (vocabulary.has_addr) {
        patterns.emplace_back("DpAddrd*");
    }
    if (vocabulary.has_data_and_ctrl) {
        patterns.emplace_back("DpDatadW");
        patterns.emplace_back("DpCtrld*");
    }
    if (!vocabulary.control_fence.empty()) {
        patterns.push_back(fmt::format("DpCtrl{}d*", vocabulary.control_fence));
    }
    for (const FenceWord& fence : vocabulary.fences) {
        patterns.push_back(fmt::format("{}d**", fence.name));
    }
    std::vector<Relation> relations;
    for (const std::string& pattern : patterns) {
        const auto some = parse_relations(vocabulary, pattern);
        HEDDLE_CHECK(some.has_value(), "an architecture has its own relations");
        relations.insert(relations.end(), some->begin(), some->end());
    }
    return relations;
}

std::string describe_relations(const Vocabulary& vocabulary) {
    std::string text = "  communications       Rfe Fre Coe (Wse), within a thread Rfi Fri Coi (Wsi)\n"
                       "  program order        Pod** to another location, Pos** to the same; the stars are R or W\n";
    if (vocabulary.has_data_and_ctrl) {
        std::string names = vocabulary.has_addr ? "DpAddrd* DpDatadW DpCtrld*" : "DpDatadW DpCtrld*";
        if (!vocabulary.control_fence.empty()) {
            names += fmt::format(" DpCtrl{}d*", vocabulary.control_fence);
        }
        text += fmt::format("  dependencies         {}; with s for d: to the same location\n", names);
    }
    std::vector<std::string> fences;
    for (const FenceWord& fence : vocabulary.fences) {
        fences.push_back(fmt::format("{}d**", fence.name));
    }
    text += fmt::format("  fences               {}; with s for d: to the same location\n", fmt::join(fences, " "));
    if (vocabulary.marks.size() > 1) {
        std::vector<std::string> marks;
        for (const MarkWord& mark : vocabulary.marks) {
            const char* where = mark.on_reads && mark.on_writes ? "" : mark.on_reads ? " (reads)" : " (writes)";
            marks.push_back(fmt::format("{}{}", mark.name, where));
        }
        text += fmt::format("  marks                {}, of both accesses, at the end of any name: PodRR{}{}\n",
                            fmt::join(marks, ", "), vocabulary.marks[1].name, vocabulary.marks[0].name);
    }
    text.pop_back();
    return text;
}

} // namespace heddle::generate
