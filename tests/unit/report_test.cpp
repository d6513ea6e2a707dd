// What a person and a script read of a check: the story of a violation, the summary, the JSON document.
#include "report/event_text.hpp"
#include "report/json.hpp"
#include "report/progress_line.hpp"
#include "report/story.hpp"
#include "report/summary.hpp"
#include "witness_builder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <sstream>

namespace {

using namespace heddle;
using heddle::testing_support::program_with_lines;
using heddle::testing_support::WitnessBuilder;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// The line of `text` that has `part`; empty when there is none.
std::string line_with(const std::string& text, const std::string& part) {
    for (const std::string& line : lines_of(text)) {
        if (line.find(part) != std::string::npos) {
            return line;
        }
    }
    return "";
}

Violation violation_of(const WitnessBuilder& b, TrapKind kind, std::uint32_t thread, std::uint32_t line) {
    return {.trap = {.kind = kind, .message = "it went wrong", .stack = {PlaceId(line)}, .object = {}},
            .thread = ThreadId(thread),
            .witness = b.build()};
}

/// Message passing that fails: thread 2 sees the flag and not the data.
struct StaleData {
    StaleData() {
        b.other(0, EventKind::Begin);
        b.other(0, EventKind::Spawn, 1);
        b.other(1, EventKind::Begin);
        data = b.write(1, 'd', 7, Order::NonAtomic);
        flag = b.write(1, 'f', 1);
        b.other(1, EventKind::End);
        seen = b.read(0, 'f', flag, Order::Acquire);
        stale = b.read_initial(0, 'd');
    }
    [[nodiscard]] Violation violation() const { return violation_of(b, TrapKind::Assertion, 0, 20); }

    WitnessBuilder b{"df"};
    std::size_t data, flag, seen, stale;
    Program program = program_with_lines(40);
};

TEST(Story, SaysWhatIsWrongFirst) {
    const StaleData s;
    EXPECT_THAT(story(s.program, s.violation()),
                StartsWith("assertion: it went wrong (thread 0, main)\n  at prog.c:20:5\n\nOne order of events"));
}

TEST(Story, TellsEachStepInTheColumnOfItsThread) {
    const StaleData s;
    const std::string text = story(s.program, s.violation());
    const std::string head = line_with(text, "T0 main");
    ASSERT_THAT(head, HasSubstr("T1"));
    const std::size_t main = head.find("T0 main");
    const std::size_t other = head.find("T1");
    EXPECT_EQ(line_with(text, "spawns T1").find("spawns"), main);
    EXPECT_EQ(line_with(text, "d = 7").find("d = 7"), other);
    EXPECT_EQ(line_with(text, "f = 1").find("f = 1  (relaxed)"), other);
    EXPECT_EQ(line_with(text, "reads f").find("reads f: 1  (acquire)"), main);
    EXPECT_THAT(line_with(text, "d = 7"), StartsWith("  prog.c:" + std::to_string(s.data) + " "));
    EXPECT_EQ(lines_of(text).back(),
              "A stale read sees an older value than the latest in this order; the memory model allows it.");
    EXPECT_THAT(text, AllOf(Not(HasSubstr("begins")), Not(HasSubstr("ends")), HasSubstr("prog.c:20")));
}

TEST(Story, MarksStaleReads) {
    const StaleData s;
    const std::string text = story(s.program, s.violation());
    EXPECT_THAT(line_with(text, "reads d"),
                HasSubstr("reads d: 0  (relaxed)  <- stale: T1 had already written 7 (prog.c:" + std::to_string(s.data) + ")"));
    EXPECT_THAT(line_with(text, "reads f"), Not(HasSubstr("<-")));
}

TEST(Story, ShowsPointersAndLeavesOutTheLibrary) {
    WitnessBuilder b("pr");
    b[b.write(1, 'p', 5)].pointee = "&node";
    b[b.write(1, 'r', 6)].owner = PartOwner::Runtime;
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 1, 20));
    EXPECT_THAT(text, AllOf(HasSubstr("p = &node"), Not(HasSubstr("r = 6"))));
}

TEST(Story, TellsACallOnAConditionVariableInOneLine) {
    WitnessBuilder b("c");
    for (const std::uint64_t value : {1, 2}) {
        const std::size_t e = b.write(1, 'c', value);
        b[e].owner = PartOwner::Condition;
        b[e].place = PlaceId(7);
    }
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 1, 20));
    EXPECT_THAT(text, HasSubstr("signals c"));
    EXPECT_EQ(text.find("signals c"), text.rfind("signals c"));
    EXPECT_THAT(text, Not(HasSubstr("c = ")));
}

TEST(Story, MarksNothingUnderSequentialConsistency) {
    WitnessBuilder b("x");
    b.write(1, 'x', 1);
    b.read_initial(2, 'x');
    EXPECT_THAT(story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 2, 20)), Not(HasSubstr("stale")));
}

TEST(Story, IsAListWhenTheTerminalIsNarrow) {
    const StaleData s;
    const std::string text = story(s.program, s.violation(), {.width = 40});
    EXPECT_THAT(line_with(text, "d = 7"), StartsWith("  T1       prog.c:"));
    EXPECT_THAT(line_with(text, "reads f"), StartsWith("  T0 main  prog.c:"));
    // The note does not fit either: it stands below.
    EXPECT_THAT(line_with(text, "reads d"), Not(HasSubstr("stale")));
    EXPECT_THAT(line_with(text, "<- stale"), StartsWith("     "));
}

TEST(Story, IsAListWhenThereAreManyThreads) {
    WitnessBuilder b("x");
    for (unsigned t = 0; t < 8; ++t) {
        b.write(t, 'x', t);
    }
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 0, 20), {.width = 1000});
    EXPECT_THAT(line_with(text, "x = 5"), StartsWith("  T5       prog.c:6"));
}

TEST(Story, AnUpdateIsOneLine) {
    WitnessBuilder b("x");
    b.update(1, 'x', b.init('x'), 5);
    const std::size_t failed = b.read(2, 'x', 2, Order::Relaxed);
    b[failed].event.update = true;
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 1, 20));
    EXPECT_THAT(text, HasSubstr("x: 0 -> 5  (update, acq_rel)"));
    EXPECT_THAT(text, HasSubstr("reads x: 5  (update that writes nothing, relaxed)"));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("x = 5")), Not(HasSubstr("reads x: 0"))));
}

TEST(Story, OtherEvents) {
    WitnessBuilder b("x");
    b.other(1, EventKind::Fence, 0, Order::SeqCst);
    const std::size_t dmb = b.other(1, EventKind::Fence);
    b[dmb].event.fence = FenceKind::DmbSy;
    const std::size_t chosen = b.other(1, EventKind::Choose);
    b[chosen].value.lo = 3;
    b.other(0, EventKind::Join, 1);
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::Assertion, 0, 20));
    for (const char* part : {"fence seq_cst", "fence dmb", "chooses 3", "joins T1"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
}

TEST(Story, ObjectsAreToldWhenTheyMatter) {
    const Address heap = make_address(AddressKind::Heap, ThreadId(0), 1, kGuard);
    const Address other = make_address(AddressKind::Heap, ThreadId(0), 2, kGuard);
    const Address local = make_address(AddressKind::Stack, ThreadId(0), 3, kGuard);
    WitnessBuilder b("x");
    b.object(0, EventKind::Alloc, heap, "heap object 1");
    b.object(0, EventKind::Alloc, other, "heap object 2");
    b.object(0, EventKind::Alloc, local, "buffer");
    b.object(0, EventKind::Free, heap, "heap object 1");
    b.object(0, EventKind::Free, local, "buffer");
    const std::string text = story(program_with_lines(30), violation_of(b, TrapKind::UseAfterFree, 0, 20));
    EXPECT_THAT(text, AllOf(HasSubstr("allocates heap object 1"), HasSubstr("frees heap object 1")));
    EXPECT_THAT(text, AllOf(Not(HasSubstr("heap object 2")), Not(HasSubstr("buffer"))));
}

TEST(Story, ARaceNamesBothAccesses) {
    WitnessBuilder b("x");
    const std::size_t w = b.write(1, 'x', 1, Order::NonAtomic);
    const std::size_t r = b.read(2, 'x', w, Order::NonAtomic);
    Violation v = violation_of(b, TrapKind::Assertion, 2, static_cast<std::uint32_t>(r));
    v.about = {r, w};
    const std::string text = story(program_with_lines(30), v);
    EXPECT_THAT(text, HasSubstr("  T2 at prog.c:2:5: reads x: 1\n  T1 at prog.c:1:5: x = 1\n"));
    EXPECT_THAT(text, AllOf(HasSubstr("reads x: 1  <- conflicts with T1 (prog.c:1)"),
                            HasSubstr("x = 1  <- conflicts with T2 (prog.c:2)")));
}

TEST(Story, ARaceWithAnUpdateTellsTheUpdate) {
    WitnessBuilder b("x");
    const std::size_t update = b.update(1, 'x', b.init('x'), 5);
    const std::size_t r = b.read(2, 'x', update + 1, Order::NonAtomic);
    Violation v = violation_of(b, TrapKind::Assertion, 2, static_cast<std::uint32_t>(r));
    v.about = {r, update + 1};
    const std::string text = story(program_with_lines(30), v);
    EXPECT_THAT(text, HasSubstr("  T1 at prog.c:2:5: x: 0 -> 5  (update, acq_rel)\n"));
    EXPECT_THAT(text, HasSubstr("(update, acq_rel)  <- conflicts with T2 (prog.c:3)"));
}

TEST(Story, ADeadlockSaysWhereEachThreadWaits) {
    WitnessBuilder b("x");
    b.write(0, 'x', 1);
    b.write(1, 'x', 2);
    b.write(2, 'x', 2);
    b.other(2, EventKind::End);
    Violation v = violation_of(b, TrapKind::Deadlock, 0, 20);
    v.also.push_back(
        {{.kind = TrapKind::Deadlock, .message = "it waits too", .stack = {PlaceId(21)}, .object = {}}, ThreadId(1)});
    const std::string text = story(program_with_lines(30), v);
    EXPECT_THAT(text, AllOf(HasSubstr("deadlock: it waits too (thread 1)\n  at prog.c:21:5"), HasSubstr("ends")));
    EXPECT_THAT(line_with(text, "prog.c:20  "), HasSubstr("waits for good"));
    EXPECT_THAT(line_with(text, "prog.c:21  "), HasSubstr("waits for good"));
}

TEST(Story, ALongWitnessIsCutInTheMiddle) {
    WitnessBuilder b("axz");
    const std::size_t important = b.write(1, 'x', 77);
    for (unsigned k = 0; k < 500; ++k) {
        b.write(1, 'a', k);
    }
    const std::size_t second = b.write(2, 'x', 78);
    for (unsigned k = 0; k < 300; ++k) {
        b.write(2, 'z', k);
    }
    b.read(1, 'x', second);
    const Program program = program_with_lines(1000);
    const Violation v = violation_of(b, TrapKind::Assertion, 1, 900);
    const std::string whole = story(program, v, {.max_lines = 0});
    EXPECT_GT(lines_of(whole).size(), 800U);
    EXPECT_THAT(whole, Not(HasSubstr("left out")));

    const std::string text = story(program, v, {.max_lines = 30});
    EXPECT_LT(lines_of(text).size(), 45U);
    EXPECT_THAT(text, AllOf(HasSubstr("x = 77"), HasSubstr("x = 78"), HasSubstr("reads x: 78"), HasSubstr("prog.c:900")));
    // The numbers of lines that are left out add up.
    std::size_t steps = 0;
    for (const std::string& line : lines_of(text)) {
        const std::size_t at = line.find("... ");
        steps += at != std::string::npos ? std::stoul(line.substr(at + 4)) : (line.starts_with("  prog.c:") ? 1U : 0U);
    }
    EXPECT_EQ(steps, 500U + 300U + 4U);
    EXPECT_NE(important, second);
}

TEST(Story, WithoutAWitnessIsWhatIsWrong) {
    Violation v = violation_of(WitnessBuilder(""), TrapKind::Assertion, 0, 3);
    EXPECT_EQ(story(program_with_lines(5), v), "assertion: it went wrong (thread 0, main)\n  at prog.c:3:5\n");
}

TEST(Story, ColourIsOnlyColour) {
    const StaleData s;
    const std::string plain = story(s.program, s.violation());
    std::string coloured = story(s.program, s.violation(), {.paint = Paint(true)});
    EXPECT_NE(coloured, plain);
    for (std::size_t at = coloured.find('\x1b'); at != std::string::npos; at = coloured.find('\x1b')) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
    }
    EXPECT_EQ(coloured, plain);
}

TEST(Story, FilesOfOneNameKeepTheirFolders) {
    Program program = program_with_lines(3);
    program.files = {"a/prog.c", "b/prog.c", "b/other.c"};
    program.places.push_back({.file = 2, .line = 9});
    EXPECT_EQ(line_text(program, PlaceId(2)), "a/prog.c:2");
    EXPECT_EQ(line_text(program, PlaceId(4)), "other.c:9");
    EXPECT_EQ(line_text(program, PlaceId(0)), "");
}

TEST(ValueText, DecimalHexadecimalOrUninitialised) {
    EXPECT_EQ(value_text({.lo = 0}, 4), "0");
    EXPECT_EQ(value_text({.lo = 0xffffffff}, 4), "-1");
    EXPECT_EQ(value_text({.lo = 0xffffffff}, 8), "4294967295");
    EXPECT_EQ(value_text({.lo = 0xff}, 1), "-1");
    EXPECT_EQ(value_text({.lo = 0x80}, 2), "128");
    EXPECT_EQ(value_text({.lo = ~std::uint64_t{0}}, 8), "-1");
    EXPECT_EQ(value_text({.lo = make_address(AddressKind::Heap, ThreadId(0), 1, kGuard)}, 8), "0x400000001400");
    EXPECT_EQ(value_text({.lo = 0x123456789abcdef0}, 8), "0x123456789abcdef0");
    EXPECT_EQ(value_text({.lo = 5}, 16), "5");
    EXPECT_EQ(value_text({.lo = 5, .hi = 1}, 16), "0x10000000000000005");
    EXPECT_EQ(value_text({.lo = ~std::uint64_t{0}, .hi = ~std::uint64_t{0}}, 16), "-1");
    EXPECT_EQ(value_text({.undef_lo = 0xffffffff}, 4), "uninitialised");
    EXPECT_EQ(value_text({.undef_lo = 0xff}, 4), "partly uninitialised");
    EXPECT_EQ(value_text({.lo = 3, .undef_lo = 0xff00}, 1), "3"); // beyond the access
}

/// A check around a result, with everything it refers to.
struct Example {
    Program program = program_with_lines(40);
    CheckResult result;
    CheckOptions options;
    std::vector<std::string> files = {"prog.c", "more.c"};

    [[nodiscard]] FinishedCheck check() const {
        return {.program = program,
                .result = result,
                .options = options,
                .files = files,
                .search = "dpor",
                .version = "1.2",
                .seconds = 0.5,
                .peak_memory_kb = 2048,
                .jobs = 1};
    }
    [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(to_json(check())); }
};

TEST(Json, HasEveryKeyOfTheContract) {
    Example x;
    x.options.model = "tso";
    x.options.equivalence = Equivalence::Rf;
    x.result.verdict = Verdict::SafeWithinBound;
    x.result.complete = 12;
    x.result.blocked = 3;
    x.result.events = 99;
    x.result.assumptions = {{"loop-bound", PlaceId(4), "3 iterations"}, {"input", PlaceId(0), "fixed"}};
    const nlohmann::json json = x.json();
    EXPECT_EQ(json["tool"], "heddle");
    EXPECT_EQ(json["version"], "1.2");
    EXPECT_EQ(json["files"], nlohmann::json({"prog.c", "more.c"}));
    EXPECT_EQ(json["model"], "tso");
    EXPECT_EQ(json["equivalence"], "rf");
    EXPECT_EQ(json["search"], "dpor");
    EXPECT_EQ(json["verdict"], "SafeWithinBound");
    EXPECT_EQ(json["executions"], nlohmann::json({{"complete", 12}, {"blocked", 3}, {"redundant", 0}}));
    EXPECT_TRUE(json.contains("estimate") && json["estimate"].is_null());
    EXPECT_EQ(json["violations"], nlohmann::json::array());
    ASSERT_THAT(json["assumptions"], SizeIs(2));
    EXPECT_EQ(json["assumptions"][0],
              nlohmann::json({{"kind", "loop-bound"}, {"place", "prog.c:4:5"}, {"detail", "3 iterations"}}));
    EXPECT_TRUE(json["assumptions"][1]["place"].is_null());
    EXPECT_EQ(json["stats"]["seconds"], 0.5);
    EXPECT_EQ(json["stats"]["events"], 99);
    EXPECT_EQ(json["stats"]["peak_memory_kb"], 2048);
    EXPECT_EQ(json["stats"]["jobs"], 1);
    EXPECT_TRUE(json["reason"].is_null());
}

TEST(Json, AViolationHasItsWitness) {
    const StaleData s;
    Example x;
    x.result.verdict = Verdict::Violation;
    x.result.violations = {s.violation()};
    x.result.violations[0].about = {s.stale, s.data};
    const nlohmann::json json = x.json();
    ASSERT_THAT(json["violations"], SizeIs(1));
    const nlohmann::json& v = json["violations"][0];
    EXPECT_EQ(v["kind"], "assertion");
    EXPECT_EQ(v["message"], "it went wrong");
    EXPECT_EQ(v["place"], "prog.c:20:5");
    EXPECT_EQ(v["threads"], nlohmann::json({0, 1}));
    EXPECT_EQ(v["about"], nlohmann::json({s.stale, s.data}));
    const nlohmann::json& w = v["witness"];
    ASSERT_THAT(w["events"], SizeIs(s.violation().witness.events.size()));
    const nlohmann::json& read = w["events"][s.seen];
    EXPECT_EQ(read["thread"], 0);
    EXPECT_EQ(read["index"], 2);
    EXPECT_EQ(read["kind"], "read");
    EXPECT_EQ(read["order"], "acquire");
    EXPECT_EQ(read["location"], "f");
    EXPECT_EQ(read["value"], "1");
    EXPECT_EQ(read["place"], "prog.c:" + std::to_string(s.seen) + ":5");
    EXPECT_EQ(w["events"][s.data]["order"], "non-atomic");
    EXPECT_TRUE(w["events"][0]["thread"].is_null()) << "an Init is in no thread";
    EXPECT_EQ(w["rf"], nlohmann::json({{s.flag, s.seen}, {s.b.init('d'), s.stale}}));
    EXPECT_EQ(w["co"], nlohmann::json({{s.b.init('d'), s.data}, {s.b.init('f'), s.flag}}));
}

TEST(Json, ThreadsOfAViolationAreAList) {
    Example x;
    x.result.verdict = Verdict::Violation;
    x.result.violations = {violation_of(WitnessBuilder(""), TrapKind::Assertion, 3, 0)};
    const nlohmann::json json = x.json();
    EXPECT_EQ(json["violations"][0]["threads"], nlohmann::json::array({3}));
    EXPECT_TRUE(json["violations"][0]["place"].is_null()) << "an unknown place";
}

TEST(Json, BytesThatAreNoTextDoNotStopIt) {
    Example x;
    x.files = {"pro\xffg.c"};
    EXPECT_THAT(x.json()["files"][0].get<std::string>(), StartsWith("pro"));
}

TEST(Json, AReasonHasItsPlace) {
    Example x;
    x.result.verdict = Verdict::Unsupported;
    x.result.reason = "longjmp is not modelled";
    x.result.place = PlaceId(8);
    EXPECT_EQ(x.json()["reason"], nlohmann::json({{"message", "longjmp is not modelled"}, {"place", "prog.c:8:5"}}));
}

TEST(Summary, VerdictComesFirst) {
    Example x;
    x.result.complete = 12;
    x.result.blocked = 3;
    EXPECT_EQ(lines_of(summary(x.check())),
              (std::vector<std::string>{"Safe: every execution was explored, and none goes wrong (model rc11, equivalence trace)",
                                        "  executions: 12 complete, 3 blocked; 0.50 s"}));
    x.result.verdict = Verdict::SafeWithinBound;
    x.result.assumptions = {{"loop-bound", PlaceId(4), "3 iterations"}};
    EXPECT_THAT(lines_of(summary(x.check())),
                ElementsAre(StartsWith("SafeWithinBound: no execution goes wrong under the 1 assumption below"),
                            HasSubstr("12 complete"), "Assumptions:", "  loop-bound at prog.c:4:5: 3 iterations"));
}

TEST(Summary, AViolationNamesTheFirst) {
    const StaleData s;
    Example x;
    x.result.verdict = Verdict::Violation;
    x.result.violations = {s.violation()};
    EXPECT_THAT(verdict_line(x.check()), StartsWith("Violation: assertion at prog.c:20:5 (model rc11"));
    x.result.violations.push_back(s.violation());
    EXPECT_THAT(verdict_line(x.check()), StartsWith("Violation: 2 different ones, the first: assertion at prog.c:20:5 (model"));
}

TEST(Summary, AStoppedSearchSaysWhatItCovered) {
    Example x;
    x.result.verdict = Verdict::OutOfBudget;
    x.result.reason = "interrupted";
    x.result.complete = 40;
    x.result.blocked = 2;
    EXPECT_THAT(summary(x.check()), AllOf(StartsWith("OutOfBudget: interrupted (model"),
                                          HasSubstr("covered so far: 42 executions, no violation found")));
    x.result.verdict = Verdict::Unsupported;
    x.result.reason = "longjmp";
    x.result.place = PlaceId(8);
    EXPECT_THAT(summary(x.check()), StartsWith("Unsupported: longjmp at prog.c:8:5 (model"));
    x.result.reason = "longjmp at prog.c:8:5";
    EXPECT_THAT(summary(x.check()), StartsWith("Unsupported: longjmp at prog.c:8:5 (model")) << "the place once";
}

/// A stream to write to, and what was written.
class Stream {
  public:
    Stream() : file_(std::tmpfile()) {}
    ~Stream() { std::fclose(file_); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    [[nodiscard]] std::FILE* file() const { return file_; }
    [[nodiscard]] std::string text() const {
        std::string all(static_cast<std::size_t>(std::ftell(file_)), ' ');
        std::rewind(file_);
        EXPECT_EQ(std::fread(all.data(), 1, all.size(), file_), all.size());
        return all;
    }

  private:
    std::FILE* file_;
};

TEST(ProgressLine, WaitsForASecondAndIsErased) {
    const Stream out;
    double now = 0;
    {
        ProgressLine line(out.file(), true, [&] { return now; });
        for (int k = 0; k < 400; ++k) { // four seconds, a hundred calls a second
            now = k * 0.01;
            line.show({.complete = 20, .blocked = 4, .violations = 1, .longest = 7});
        }
    }
    const std::string text = out.text();
    EXPECT_THAT(text, HasSubstr("24 executions, 24/s, 4 blocked, 1 violation, longest 7 events"));
    const auto shown = std::ranges::count(text, '\r') - 1;
    EXPECT_GE(shown, 20);
    EXPECT_LE(shown, 31);
    EXPECT_TRUE(text.ends_with("\r\x1b[K")) << "the line is still there";
    EXPECT_THAT(text, Not(HasSubstr("\n")));
}

TEST(ProgressLine, LeavesNothingOfAShortCheck) {
    const Stream out;
    {
        ProgressLine(out.file(), true, [] { return 0.99; }).show({.complete = 1});
    }
    EXPECT_EQ(out.text(), "");
}

TEST(ProgressLine, IsALineASecondElsewhere) {
    const Stream out;
    double now = 0;
    {
        ProgressLine line(out.file(), false, [&] { return now; });
        for (; now < 3.5; now += 0.25) {
            line.show({.complete = 1});
        }
    }
    EXPECT_THAT(lines_of(out.text()), SizeIs(3));
}

} // namespace
