#include "report/herd.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heddle {

std::string_view word_of(LitmusQuestion question) {
    switch (question) {
    case LitmusQuestion::Allowed:
        return "Allowed";
    case LitmusQuestion::Forbidden:
        return "Forbidden";
    case LitmusQuestion::Required:
        return "Required";
    }
    return "?";
}

std::string_view verdict_of(const LitmusOutcome& outcome) {
    if (outcome.undefined) {
        return "Undef";
    }
    switch (outcome.question) {
    case LitmusQuestion::Allowed:
        return outcome.satisfying > 0 ? "Ok" : "No";
    case LitmusQuestion::Forbidden:
        return outcome.satisfying == 0 ? "Ok" : "No";
    case LitmusQuestion::Required:
        return outcome.others == 0 ? "Ok" : "No";
    }
    return "?";
}

std::string_view observation_of(const LitmusOutcome& outcome) {
    return outcome.satisfying == 0 ? "Never" : outcome.others == 0 ? "Always" : "Sometimes";
}

std::string to_herd(const LitmusOutcome& o) {
    std::string text = fmt::format("Test {} {}\nStates {}\n", o.name, word_of(o.question), o.states.size());
    for (const std::string& state : o.states) {
        text += state + "\n";
    }
    text += fmt::format("{}{}\nWitnesses\nPositive: {} Negative: {}\n", o.loop_cut ? "Loop " : "", verdict_of(o), o.positive(),
                        o.negative());
    for (const std::string& flag : o.flags) {
        text += "Flag " + flag + "\n";
    }
    text += fmt::format("Condition {}\nObservation {} {} {} {}\nTime {} {:.2f}\n\n", o.condition, o.name, observation_of(o),
                        o.satisfying, o.others, o.name, o.seconds);
    return text;
}

std::string to_record(const LitmusOutcome& o, const std::string& file) {
    std::vector<std::string> states;
    for (const std::string& state : o.states) {
        states.push_back(
            state.substr(0, state.empty() ? 0 : state.size() - 1)); // as records have them: without the last semicolon
    }
    nlohmann::ordered_json json = {{"name", o.name},
                                   {"file", file},
                                   {"kind", word_of(o.question)},
                                   {"condition", o.condition},
                                   {"verdict", verdict_of(o)},
                                   {"observation", observation_of(o)},
                                   {"positive", o.positive()},
                                   {"negative", o.negative()},
                                   {"executions", o.executions()},
                                   {"nstates", states.size()},
                                   {"states", states}};
    if (o.loop_cut) {
        json["loop"] = true;
    }
    if (!o.flags.empty()) {
        json["flags"] = o.flags;
    }
    if (o.undefined) {
        json["undef"] = true;
    }
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace heddle
