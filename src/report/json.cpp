#include "report/json.hpp"

#include "report/event_text.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

/// "file:line:column"; null when unknown.
Json place_json(const Program& program, PlaceId place) {
    return program.places[place.index].line == 0 ? Json() : Json(to_string(program, place));
}

/// Values are text because a 64-bit number is not safe in JSON, and a value may be undefined.
Json event_json(const Program& program, const WitnessEvent& e) {
    const Event& event = e.event;
    const bool init = event.kind == EventKind::Init;
    const bool object = event.kind == EventKind::Alloc || event.kind == EventKind::Free;
    const bool fence = event.kind == EventKind::Fence;
    Json json = {{"thread", init ? Json() : Json(event.thread.index)},
                 {"index", init ? Json() : Json(event.index)},
                 {"kind", word_of(event.kind)},
                 {"order", nullptr},
                 {"location", nullptr},
                 {"value", nullptr},
                 {"place", place_json(program, e.place)}};
    if ((event.is_access() && !init) || fence) {
        json["order"] = fence                             ? Json(fence_text(event))
                        : event.order == Order::NonAtomic ? Json("non-atomic")
                                                          : Json(word_of(event.order));
    }
    if (event.is_access() || object) {
        json["location"] = e.name;
    }
    if (event.is_access() || event.kind == EventKind::Choose) {
        json["value"] = value_text(e);
    }
    if (event.is_access()) {
        json["size"] = e.size;
        json["update"] = event.update;
    }
    if (event.kind == EventKind::Spawn || event.kind == EventKind::Join) {
        json["other"] = event.other.index;
    }
    return json;
}

Json witness_json(const Program& program, const Witness& witness) {
    Json json = {{"events", Json::array()}, {"rf", Json::array()}, {"co", Json::array()}};
    for (std::size_t e = 0; e < witness.events.size(); ++e) {
        json["events"].push_back(event_json(program, witness.events[e]));
        if (witness.events[e].event.source) {
            json["rf"].push_back({*witness.events[e].event.source, e});
        }
    }
    for (const std::vector<std::size_t>& writes : witness.coherence) {
        json["co"].push_back(writes);
    }
    return json;
}

Json trap_json(const Program& program, const Trap& trap) {
    Json json = {{"kind", word_of(trap.kind)},
                 {"message", trap.message},
                 {"place", place_json(program, trap.stack.front())},
                 {"stack", Json::array()}};
    for (const PlaceId place : trap.stack) {
        json["stack"].push_back(place_json(program, place));
    }
    return json;
}

/// Whose doing it is: the thread that it happened to first, then the others that it is about.
Json threads_json(const Violation& violation) {
    std::set<ThreadId> others;
    for (const Violation::Other& other : violation.also) {
        others.insert(other.thread);
    }
    for (const std::size_t e : violation.about) {
        others.insert(violation.witness.events[e].event.thread);
    }
    others.erase(violation.thread);
    Json json = Json::array();
    json.push_back(violation.thread.index);
    for (const ThreadId thread : others) {
        json.push_back(thread.index);
    }
    return json;
}

Json violation_json(const Program& program, const Violation& violation) {
    Json json = trap_json(program, violation.trap);
    json["threads"] = threads_json(violation);
    json["also"] = Json::array();
    for (const Violation::Other& other : violation.also) {
        Json entry = trap_json(program, other.trap);
        entry["thread"] = other.thread.index;
        json["also"].push_back(std::move(entry));
    }
    json["about"] = violation.about;
    json["witness"] = witness_json(program, violation.witness);
    return json;
}

Json reason_json(const FinishedCheck& check) {
    if (check.result.reason.empty()) {
        return {};
    }
    return {{"message", check.result.reason}, {"place", place_json(check.program, check.result.place)}};
}

} // namespace

std::string to_json(const FinishedCheck& check) {
    const CheckResult& result = check.result;
    Json json = {{"tool", "heddle"},
                 {"version", check.version},
                 {"files", check.files},
                 {"model", check.options.model},
                 {"equivalence", word_of(check.options.equivalence)},
                 {"search", check.search},
                 {"verdict", word_of(result.verdict)},
                 {"reason", reason_json(check)},
                 {"assumptions", Json::array()},
                 {"executions", {{"complete", result.complete}, {"blocked", result.blocked}, {"redundant", result.redundant}}},
                 {"estimate", nullptr},
                 {"violations", Json::array()},
                 {"stats",
                  {{"seconds", check.seconds},
                   {"events", result.events},
                   {"dead_ends", result.dead_ends},
                   {"peak_memory_kb", check.peak_memory_kb},
                   {"jobs", check.jobs}}}};
    if (result.states != 0) {
        json["states"] = {{"states", result.states},
                          {"steps", result.steps},
                          {"final", result.complete},
                          {"blocked", result.blocked},
                          {"bytes", result.state_bytes}};
    }
    for (const Assumption& a : result.assumptions) {
        json["assumptions"].push_back({{"kind", a.kind}, {"place", place_json(check.program, a.place)}, {"detail", a.detail}});
    }
    for (const Violation& violation : result.violations) {
        json["violations"].push_back(violation_json(check.program, violation));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace heddle
