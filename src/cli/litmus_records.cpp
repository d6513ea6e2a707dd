#include "cli/litmus_records.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace heddle::cli {
namespace {

std::string canonical_path(const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::weakly_canonical(file, error).string();
}

/// What is in one and not in the other.
std::vector<std::string> only_in(const std::vector<std::string>& these, const std::vector<std::string>& without) {
    std::vector<std::string> only;
    std::ranges::set_difference(these, without, std::back_inserter(only));
    return only;
}

} // namespace

std::expected<LitmusRecords, Diagnostic> LitmusRecords::load(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) {
        return std::unexpected(Diagnostic{.message = fmt::format("{} cannot be read", file.string())});
    }
    LitmusRecords records;
    std::size_t number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto wrong = [&](const char* what) {
            return std::unexpected(Diagnostic{.message = fmt::format("{}:{}: {}", file.string(), number, what)});
        };
        if (line.empty()) {
            continue;
        }
        const auto json = nlohmann::json::parse(line, nullptr, false);
        if (!json.is_object()) {
            return wrong("expected a JSON object on this line");
        }
        const auto has = [&](const char* key, bool (nlohmann::json::*is)() const noexcept) {
            return json.contains(key) && (json[key].*is)();
        };
        using J = nlohmann::json;
        if (!has("name", &J::is_string) || !has("file", &J::is_string) || !has("verdict", &J::is_string) ||
            !has("positive", &J::is_number) || !has("negative", &J::is_number) || !has("states", &J::is_array)) {
            return wrong("expected the keys name, file, verdict, positive, negative and states");
        }
        Record r{.name = json["name"].get<std::string>(),
                 .verdict = json["verdict"].get<std::string>(),
                 .positive = json["positive"].get<std::uint64_t>(),
                 .negative = json["negative"].get<std::uint64_t>(),
                 .states = {}};
        for (const auto& state : json["states"]) {
            if (!state.is_string()) {
                return wrong("expected states to be texts");
            }
            r.states.push_back(state.get<std::string>());
        }
        std::ranges::sort(r.states);
        records.by_file_[canonical_path(file.parent_path() / json["file"].get<std::string>())] = std::move(r);
    }
    return records;
}

std::optional<std::string> LitmusRecords::differences(const std::filesystem::path& file, const LitmusOutcome& outcome) const {
    const auto it = by_file_.find(canonical_path(file));
    if (it == by_file_.end()) {
        return std::nullopt;
    }
    const Record& r = it->second;
    std::string text;
    const auto differ = [&](const std::string& what) { text += fmt::format("{}: {}\n", file.string(), what); };
    if (verdict_of(outcome) != r.verdict) {
        differ(fmt::format("verdict {}, recorded {}", verdict_of(outcome), r.verdict));
    }
    if (outcome.positive() != r.positive || outcome.negative() != r.negative) {
        differ(fmt::format("positive {} negative {}, recorded {} and {}", outcome.positive(), outcome.negative(), r.positive,
                           r.negative));
    }
    std::vector<std::string> states;
    for (const std::string& s : outcome.states) {
        states.push_back(s.substr(0, s.empty() ? 0 : s.size() - 1));
    }
    std::ranges::sort(states);
    if (const auto more = only_in(states, r.states); !more.empty()) {
        differ(fmt::format("states not recorded: {}", fmt::join(more, " | ")));
    }
    if (const auto missing = only_in(r.states, states); !missing.empty()) {
        differ(fmt::format("recorded states not found: {}", fmt::join(missing, " | ")));
    }
    return text;
}

} // namespace heddle::cli
