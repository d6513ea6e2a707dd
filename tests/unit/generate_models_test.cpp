// What generated tests mean: each is read by the litmus front end, its state is that of the cycle and of nothing else, and models answer as the
// theory of cycles says.
#include "frontend/generate/critical_cycles.hpp"
#include "frontend/generate/litmus_text.hpp"
#include "frontend/litmus/litmus_test.hpp"
#include "model/cat/cat_execution_judge.hpp"
#include "paths.hpp"
#include "search/enumerate/enumerate.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace heddle;
using namespace heddle::generate;

/// Accepts what is coherent, or everything.
class Permissive : public ExecutionJudge {
  public:
    explicit Permissive(bool coherent) : coherent_(coherent) {}
    bool begin(const Execution& /*x*/) override { return true; }
    bool choose_sources() override { return true; }
    bool choose_coherence() override { return true; }
    [[nodiscard]] bool implies_coherence() const override { return coherent_; }

  private:
    bool coherent_;
};

cat::Model model(const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(test::source_dir()) / "models";
    auto loaded = cat::Model::load(folder / (name + ".cat"), {folder});
    EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
    return *loaded;
}

/// A conjunction of equations, which is all that generated tests ask.
bool holds(const litmus::Proposition& proposition, std::uint32_t node, std::span<const std::uint64_t> values) {
    const litmus::Proposition::Node& n = proposition.nodes[node];
    if (n.kind == litmus::Proposition::Kind::And) {
        return holds(proposition, n.left, values) && holds(proposition, n.right, values);
    }
    EXPECT_EQ(n.kind, litmus::Proposition::Kind::Equal);
    return values[n.left] == n.value;
}

struct Answer {
    std::uint64_t positive = 0; ///< executions with the state asked for
    std::uint64_t negative = 0;
};

Answer ask(const litmus::LitmusTest& test, ExecutionJudge& judge) {
    EnumerateOptions options;
    options.paths.first_register = test.first_register;
    for (const litmus::Thread& thread : test.threads) {
        options.paths.threads.push_back(thread.function);
    }
    for (const litmus::Observable& observable : test.observables) {
        options.observed.push_back({.address = observable.address, .size = observable.size});
    }
    ThreadNames names;
    Answer answer;
    const EnumerateResult result = enumerate(test.program, names, judge, options, [&](const EnumeratedExecution& e) {
        const auto root = static_cast<std::uint32_t>(test.condition.nodes.size() - 1);
        ++(holds(test.condition, root, e.observed) ? answer.positive : answer.negative);
    });
    EXPECT_FALSE(result.unsupported) << test.name << ": " << *result.unsupported;
    EXPECT_FALSE(result.cut) << test.name;
    return answer;
}

std::vector<generate::Relation> relations(const Vocabulary& vocabulary, const std::string& patterns) {
    std::vector<generate::Relation> all;
    std::istringstream words(patterns);
    for (std::string word; words >> word;) {
        const auto some = parse_relations(vocabulary, word);
        EXPECT_TRUE(some.has_value()) << some.error().message;
        all.insert(all.end(), some->begin(), some->end());
    }
    return all;
}

struct Family {
    const char* architecture;
    const char* relations; ///< empty: the usual ones
    unsigned min_threads;
    unsigned max_threads;
    unsigned max_length;
    std::size_t every; ///< only each so many-th test is asked for
};

/// Calls `visit` with the tests of a family, as the front end reads them.
void for_each_test(const Family& family, const std::function<void(const Cycle&, const litmus::LitmusTest&)>& visit) {
    const Vocabulary& vocabulary = *find_vocabulary(family.architecture);
    const std::string patterns = family.relations;
    std::size_t count = 0;
    for_each_critical_cycle(vocabulary,
                            {.relations = patterns.empty() ? usual_relations(vocabulary) : relations(vocabulary, patterns),
                             .min_threads = family.min_threads,
                             .max_threads = family.max_threads,
                             .max_length = family.max_length},
                            [&](const Cycle& cycle) {
                                if (count++ % family.every != 0) {
                                    return true;
                                }
                                const auto text = litmus_text(vocabulary, cycle);
                                EXPECT_TRUE(text.has_value()) << text.error().message;
                                const auto test = litmus::parse(*text, cycle.name, {});
                                EXPECT_TRUE(test.has_value()) << test.error().message << "\n" << *text;
                                if (test) {
                                    EXPECT_EQ(test->name, cycle.name);
                                    EXPECT_EQ(test->threads.size(), cycle.threads + cycle.observers.size());
                                    visit(cycle, *test);
                                }
                                return !testing::Test::HasFailure();
                            });
    EXPECT_GT(count, 0U) << family.architecture;
}

/// In C a control dependency is a real one: its writes are there only if the read reads the right value. Where each thread's value may hang on
/// another's in this way (LB+ctrls) perhaps none is ever written, and the enumeration then has no such execution.
bool may_come_from_thin_air(const litmus::LitmusTest& test, const Cycle& cycle) {
    std::vector<bool> has_branch(cycle.threads, false);
    bool reads_from_only = true;
    for (std::size_t k = 0; k < cycle.relations.size(); ++k) {
        const generate::Relation& relation = cycle.relations[k];
        has_branch[cycle.accesses[k].thread] =
            has_branch[cycle.accesses[k].thread] || relation.kind == generate::Relation::Kind::Ctrl;
        reads_from_only = reads_from_only && (!relation.external || relation.kind == generate::Relation::Kind::Rf);
    }
    return test.architecture == Architecture::C && reads_from_only && std::ranges::all_of(has_branch, std::identity{});
}

/// The state that a test asks for is reached by exactly one coherent execution if the cycle fixes what every read reads, by some in any case; by none
/// that is sequentially consistent. A test with one location is a violation of coherence: there is no coherent one.
void expect_the_cycle(const Family& family) {
    const cat::Model sc = model("sc");
    for_each_test(family, [&](const Cycle& cycle, const litmus::LitmusTest& test) {
        Permissive coherent(true);
        const Answer among_coherent = ask(test, coherent);
        if (may_come_from_thin_air(test, cycle)) {
            EXPECT_LE(among_coherent.positive, 1U) << cycle.name;
        } else if (cycle.writes.size() == 1) {
            Permissive anything(false);
            EXPECT_EQ(among_coherent.positive, 0U) << cycle.name;
            EXPECT_GT(ask(test, anything).positive, 0U) << cycle.name;
        } else if (std::ranges::all_of(cycle.accesses, &Access::fixed)) {
            EXPECT_EQ(among_coherent.positive, 1U) << cycle.name;
        } else {
            EXPECT_GT(among_coherent.positive, 0U) << cycle.name;
        }
        EXPECT_GT(among_coherent.negative, 0U) << cycle.name;
        const Answer among_sequential = ask(test, *cat::judge_by(sc, test.architecture));
        EXPECT_EQ(among_sequential.positive, 0U) << cycle.name;
        EXPECT_GT(among_sequential.negative, 0U) << cycle.name;
    });
}

TEST(GenerateModels, PpcTestsAreTheirCycles) {
    expect_the_cycle({"PPC", "", 2, 2, 4, 1});
    expect_the_cycle({"PPC", "", 3, 3, 6, 7});
    expect_the_cycle(
        {"PPC", "Rfe Fre Coe Rfi Fri Coi PodWW PodRW DpAddrdR DpDatasW DpCtrldW PosRR PosWR LwSyncsRW", 1, 3, 6, 11});
}
TEST(GenerateModels, X86TestsAreTheirCycles) {
    expect_the_cycle({"X86", "Rfe Fre Coe Rfi Fri Coi Pod** MFenced** Pos**", 1, 2, 6, 3});
    expect_the_cycle({"X86", "", 3, 4, 8, 9});
    expect_the_cycle({"X86_64", "Rfe Fre Coe Rfi Fri Coi Pod** MFenced** MFences**", 1, 2, 6, 3});
}
TEST(GenerateModels, ArmTestsAreTheirCycles) {
    expect_the_cycle({"ARM", "", 2, 2, 4, 1});
    expect_the_cycle({"ARM", "Rfe Fre Coe Rfi Fri Pod** DpAddrs* DpAddrd* DpDatadW DpCtrlIsbdR DMB.STdWW", 1, 3, 6, 29});
}
TEST(GenerateModels, AArch64TestsAreTheirCycles) {
    expect_the_cycle({"AArch64", "", 2, 2, 4, 1});
    expect_the_cycle(
        {"AArch64",
         "Rfe Fre Coe Rfi Pod** PodRRAP PodRRQP PodRWAL PodRWPL PodWRLA PodWWPL PodWWLL DpAddrdRPA DpAddrdRAA DpAddrdWPL "
         "DpDatadWPL DpCtrldWPL DMB.SYd**",
         2, 3, 6, 31});
}
TEST(GenerateModels, RiscVTestsAreTheirCycles) {
    expect_the_cycle({"RISCV", "", 2, 2, 4, 2});
    expect_the_cycle({"RISCV",
                      "Rfe Fre Coe Rfi Pod** PodRRAqP PodRWAqRl PodWRRlAq PodWWPRl DpAddrdRPAq DpAddrdWPRl DpAddrs* "
                      "DpCtrlFenceId* Fence.tsod**",
                      2, 3, 6, 31});
}
TEST(GenerateModels, CTestsAreTheirCycles) {
    expect_the_cycle({"C", "", 2, 2, 4, 1});
    expect_the_cycle({"C",
                      "Rfe Fre Coe Rfi Fri Pod** PodRRAcqRlx PodRWAcqRel PodWRScSc PodWWRlxRel DpCtrld* DpDatadW DpDatasW "
                      "FenceScd** FenceScs**",
                      2, 3, 6, 37});
}

/// Whether the model allows what the cycle asks for.
bool allowed(const cat::Model& by, std::string_view word, const std::string& cycle_text) {
    const Vocabulary& vocabulary = *find_vocabulary(word);
    const auto cycle = make_cycle(vocabulary, relations(vocabulary, cycle_text));
    EXPECT_TRUE(cycle.has_value()) << cycle.error().message;
    const auto test = litmus::parse(litmus_text(vocabulary, *cycle).value(), cycle->name, {});
    EXPECT_TRUE(test.has_value()) << test.error().message;
    return ask(*test, *cat::judge_by(by, test->architecture)).positive > 0;
}

TEST(GenerateModels, WellKnownAnswers) {
    const cat::Model power = model("power");
    EXPECT_TRUE(allowed(power, "PPC", "PodWW Rfe DpAddrdR Fre"));
    EXPECT_TRUE(allowed(power, "PPC", "LwSyncdWW Rfe PodRR Fre"));
    EXPECT_TRUE(allowed(power, "PPC", "LwSyncdWW Rfe DpCtrldR Fre"));
    EXPECT_FALSE(allowed(power, "PPC", "LwSyncdWW Rfe DpAddrdR Fre"));
    EXPECT_FALSE(allowed(power, "PPC", "LwSyncdWW Rfe DpCtrlIsyncdR Fre"));
    EXPECT_TRUE(allowed(power, "PPC", "LwSyncdWR Fre LwSyncdWR Fre"));
    EXPECT_FALSE(allowed(power, "PPC", "SyncdWR Fre SyncdWR Fre"));
    EXPECT_FALSE(allowed(power, "PPC", "DpDatadW Rfe DpCtrldW Rfe"));
    EXPECT_TRUE(allowed(power, "PPC", "Rfe DpAddrdR Fre Rfe DpAddrdR Fre")); // not multi-copy atomic
    const cat::Model armv8 = model("armv8");
    EXPECT_FALSE(allowed(armv8, "AArch64", "Rfe DpAddrdR Fre Rfe DpAddrdR Fre")); // multi-copy atomic
    EXPECT_FALSE(allowed(armv8, "AArch64", "PodWWPL RfeLA PodRRAP Fre"));
    EXPECT_TRUE(allowed(armv8, "AArch64", "PodWWLP Rfe PodRRAP Fre"));
    EXPECT_FALSE(allowed(armv8, "AArch64", "PodWRLA FreAL PodWRLA FreAL"));
    EXPECT_TRUE(allowed(armv8, "AArch64", "PodWR Fre DMB.SYdWR Fre"));
    const cat::Model riscv = model("riscv");
    EXPECT_FALSE(allowed(riscv, "RISCV", "Fence.w.wdWW Rfe Fence.r.rdRR Fre"));
    EXPECT_TRUE(allowed(riscv, "RISCV", "Fence.r.rdWW Rfe Fence.r.rdRR Fre"));
    EXPECT_FALSE(allowed(riscv, "RISCV", "PodWWPRl Rfe PodRRAqP Fre"));
    const cat::Model tso = model("tso");
    EXPECT_TRUE(allowed(tso, "X86", "PodWR Fre PodWR Fre"));
    EXPECT_TRUE(allowed(tso, "X86_64", "Rfi PodRR Fre Rfi PodRR Fre"));
    EXPECT_FALSE(allowed(tso, "X86", "MFencedWR Fre MFencedWR Fre"));
    EXPECT_FALSE(allowed(tso, "X86", "PodWW Rfe PodRR Fre"));
    const cat::Model rc11 = model("rc11");
    EXPECT_TRUE(allowed(rc11, "C", "PodWW Rfe PodRR Fre"));
    EXPECT_FALSE(allowed(rc11, "C", "PodWWRlxRel RfeRelAcq PodRRAcqRlx Fre"));
    EXPECT_FALSE(allowed(rc11, "C", "FenceReldWW Rfe FenceAcqdRR Fre"));
    EXPECT_TRUE(allowed(rc11, "C", "FenceARdWR Fre FenceARdWR Fre"));
    EXPECT_FALSE(allowed(rc11, "C", "FenceScdWR Fre FenceScdWR Fre"));
    EXPECT_FALSE(allowed(rc11, "C", "PodWRScSc FreScSc PodWRScSc FreScSc"));
}

/// In a multi-copy atomic model a critical cycle is forbidden exactly if the model orders every step that it makes inside a thread: external
/// communications are in the model's order anyway, and the test has only one execution with the state asked for.
void expect_forbidden_if_ordered(const Family& family, const std::string& model_name,
                                 const std::function<bool(const Vocabulary&, const generate::Relation&)>& ordered) {
    const cat::Model by = model(model_name);
    const Vocabulary& vocabulary = *find_vocabulary(family.architecture);
    std::size_t forbidden = 0;
    std::size_t allowed = 0;
    for_each_test(family, [&](const Cycle& cycle, const litmus::LitmusTest& test) {
        const bool all_ordered =
            std::ranges::all_of(cycle.relations, [&](const auto& r) { return r.external || ordered(vocabulary, r); });
        const bool found = ask(test, *cat::judge_by(by, test.architecture)).positive > 0;
        EXPECT_EQ(found, !all_ordered) << cycle.name << " under " << model_name;
        ++(found ? allowed : forbidden);
    });
    EXPECT_GT(forbidden, 10U);
    EXPECT_GT(allowed, 10U);
}

using Kind = generate::Relation::Kind;

bool reads(Direction direction) { return direction == Direction::Read; }

/// Dependencies as ARMv8 and RISC-V have them; `control_fence`: does a fence behind the branch order reads, too?
bool orders_by_dependency(const generate::Relation& r, bool control_fence) {
    switch (r.kind) {
    case Kind::Addr:
    case Kind::Data:
        return true;
    case Kind::Ctrl:
        return !reads(r.target);
    case Kind::CtrlFence:
        return control_fence || !reads(r.target);
    default:
        return false;
    }
}

TEST(GenerateModels, TsoAndPsoOrderAllButWritesBeforeTheirBuffers) {
    const auto tso = [](const Vocabulary& /*v*/, const generate::Relation& r) {
        return r.kind == Kind::Fence || reads(r.source) || !reads(r.target);
    };
    const auto pso = [](const Vocabulary& /*v*/, const generate::Relation& r) {
        return r.kind == Kind::Fence || reads(r.source);
    };
    for (const char* word : {"X86", "X86_64"}) {
        expect_forbidden_if_ordered({word, "", 2, 4, 8, 1}, "tso", tso);
        expect_forbidden_if_ordered({word, "", 2, 4, 8, 1}, "pso", pso);
    }
}

TEST(GenerateModels, Armv8OrdersByDependenciesAndFences) {
    const auto ordered = [](const Vocabulary& v, const generate::Relation& r) {
        if (r.kind != Kind::Fence) {
            return orders_by_dependency(r, true);
        }
        const std::string_view fence = v.fences[r.fence].name;
        return fence.ends_with(".SY") || (fence.ends_with(".LD") && reads(r.source)) ||
               (fence.ends_with(".ST") && !reads(r.source) && !reads(r.target));
    };
    expect_forbidden_if_ordered({"AArch64", "", 2, 2, 4, 1}, "armv8", ordered);
    expect_forbidden_if_ordered({"AArch64", "", 3, 3, 6, 13}, "armv8", ordered);
}

TEST(GenerateModels, RiscVOrdersByDependenciesAndFences) {
    const auto ordered = [](const Vocabulary& v, const generate::Relation& r) {
        if (r.kind != Kind::Fence) {
            return orders_by_dependency(r, false);
        }
        const std::string_view fence = v.fences[r.fence].name; // Fence.X.Y, Fence.tso or Fence.i
        if (fence == "Fence.tso") {
            return reads(r.source) || !reads(r.target);
        }
        const std::string_view sets = fence.substr(6);
        const std::string_view before = sets.substr(0, sets.find('.'));
        const std::string_view after = sets.substr(sets.find('.') + 1);
        return before.contains(reads(r.source) ? 'r' : 'w') && after.contains(reads(r.target) ? 'r' : 'w');
    };
    expect_forbidden_if_ordered({"RISCV", "", 2, 2, 4, 1}, "riscv", ordered);
    expect_forbidden_if_ordered({"RISCV", "", 3, 3, 6, 41}, "riscv", ordered);
}

/// Tests of the public corpora that we can generate, by name: what herd recorded of them holds for ours.
void compare_with_records(const char* word, const std::string& records, const std::string& model_name, unsigned max_threads,
                          std::size_t at_least) {
    std::ifstream in(test::litmus_corpora() + "/" + records + ".jsonl");
    if (!in) {
        GTEST_SKIP() << "the public corpora, which are not part of the project, are not in " << test::litmus_corpora();
    }
    std::map<std::string, std::string> observations;
    for (std::string line; std::getline(in, line);) {
        const auto record = nlohmann::json::parse(line);
        if (record["kind"] == "Allowed") {
            observations[record["name"]] = record["observation"];
        }
    }
    const cat::Model by = model(model_name);
    std::size_t compared = 0;
    for_each_test({word, "", 2, max_threads, 2 * max_threads, 1}, [&](const Cycle& cycle, const litmus::LitmusTest& test) {
        const auto record = observations.find(cycle.name);
        if (record != observations.end()) {
            ++compared;
            EXPECT_EQ(ask(test, *cat::judge_by(by, test.architecture)).positive > 0 ? "Sometimes" : "Never", record->second)
                << cycle.name;
        }
    });
    EXPECT_GE(compared, at_least) << word;
}

TEST(GenerateModels, PpcAsRecorded) { compare_with_records("PPC", "ppc-power", "power", 3, 1); }
TEST(GenerateModels, ArmAsRecorded) { compare_with_records("ARM", "arm-armv7", "armv7", 3, 1); }
TEST(GenerateModels, AArch64AsRecorded) { compare_with_records("AArch64", "aarch64-armv8", "armv8", 2, 1); }
TEST(GenerateModels, RiscVAsRecorded) { compare_with_records("RISCV", "riscv-riscv", "riscv", 2, 1); }
TEST(GenerateModels, X86AsRecorded) { compare_with_records("X86", "x86-tso", "tso", 4, 1); }

} // namespace
