// The judge of cat models: random expressions against relations computed plainly, staged against from scratch, levels, flags.
#include "cat_text.hpp"
#include "graph/relation.hpp"
#include "paths.hpp"
#include "random_execution.hpp"

#include <gmock/gmock.h>

#include <functional>

namespace heddle {
namespace {

using test::good_cat;
using test::judged;
using testing::ElementsAre;
using testing::UnorderedElementsAre;

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); }

/// An expression of cat and what it means on an execution, computed with graph/relation.hpp. A set is a relation inside the identity.
struct Meaning {
    std::string text;
    std::function<Relation(const Relations&, const Execution&)> value;
};

Relation identity_of(const Execution& x, const std::function<bool(const Event&)>& in) {
    return Relation::identity(x.events.size(), [&](std::size_t e) { return in(x.events[e]); });
}
Relation everything(std::size_t n) {
    Relation r(n);
    for (std::size_t a = 0; a < n; ++a) {
        for (std::size_t b = 0; b < n; ++b) {
            r.add(a, b);
        }
    }
    return r;
}

Meaning random_relation(Random& random, int depth);

Meaning random_set(Random& random, int depth) {
    switch (below(random, depth > 0 ? 8 : 4)) {
    case 0:
        return {"R",
                [](const Relations&, const Execution& x) { return identity_of(x, [](const Event& e) { return e.is_read(); }); }};
    case 1:
        return {"W",
                [](const Relations&, const Execution& x) { return identity_of(x, [](const Event& e) { return e.is_write(); }); }};
    case 2:
        return {"SC", [](const Relations&, const Execution& x) {
                    return identity_of(x, [](const Event& e) { return e.order == Order::SeqCst; });
                }};
    case 3:
        return {"_", [](const Relations&, const Execution& x) { return identity_of(x, [](const Event&) { return true; }); }};
    case 4: {
        const Meaning r = random_relation(random, depth - 1);
        return {"domain(" + r.text + ")", [r](const Relations& b, const Execution& x) {
                    return r.value(b, x).then(everything(x.events.size())) & identity_of(x, [](const Event&) { return true; });
                }};
    }
    case 5: {
        const Meaning r = random_relation(random, depth - 1);
        return {"range(" + r.text + ")", [r](const Relations& b, const Execution& x) {
                    return everything(x.events.size()).then(r.value(b, x)) & identity_of(x, [](const Event&) { return true; });
                }};
    }
    case 6: {
        const Meaning s = random_set(random, depth - 1);
        return {"(~" + s.text + ")", [s](const Relations& b, const Execution& x) {
                    return identity_of(x, [](const Event&) { return true; }) - s.value(b, x);
                }};
    }
    default: {
        const Meaning s = random_set(random, depth - 1);
        const Meaning t = random_set(random, depth - 1);
        return {"(" + s.text + " \\ " + t.text + ")",
                [s, t](const Relations& b, const Execution& x) { return s.value(b, x) - t.value(b, x); }};
    }
    }
}

Meaning random_base(Random& random) {
    switch (below(random, 8)) {
    case 0:
        return {"po", [](const Relations& b, const Execution&) { return b.po; }};
    case 1:
        return {"rf", [](const Relations& b, const Execution&) { return b.rf; }};
    case 2:
        return {"co", [](const Relations& b, const Execution&) { return b.co; }};
    case 3:
        return {"fr", [](const Relations& b, const Execution&) { return b.fr; }};
    case 4:
        return {"rfe", [](const Relations& b, const Execution&) { return b.rf & b.external; }};
    case 5:
        return {"po-loc", [](const Relations& b, const Execution&) { return b.po_loc; }};
    case 6:
        return {"rmw", [](const Relations& b, const Execution&) { return b.rmw; }};
    default:
        return {"id", [](const Relations&, const Execution& x) { return identity_of(x, [](const Event&) { return true; }); }};
    }
}

Meaning random_unary(Random& random, int depth) {
    const Meaning r = random_relation(random, depth - 1);
    switch (below(random, 5)) {
    case 0:
        return {r.text + "+", [r](const Relations& b, const Execution& x) { return r.value(b, x).closure(); }};
    case 1:
        return {r.text + "*", [r](const Relations& b, const Execution& x) { return r.value(b, x).closure().maybe(); }};
    case 2:
        return {r.text + "?", [r](const Relations& b, const Execution& x) { return r.value(b, x).maybe(); }};
    case 3:
        return {r.text + "^-1", [r](const Relations& b, const Execution& x) { return r.value(b, x).inverse(); }};
    default:
        return {"(~" + r.text + ")",
                [r](const Relations& b, const Execution& x) { return everything(x.events.size()) - r.value(b, x); }};
    }
}

Meaning random_relation(Random& random, int depth) {
    if (depth == 0) {
        return random_base(random);
    }
    switch (below(random, 8)) {
    case 0:
    case 1: {
        Meaning r = random_unary(random, depth);
        r.text = "(" + r.text + ")";
        return r;
    }
    case 2: {
        const Meaning s = random_set(random, depth - 1);
        return {"[" + s.text + "]", s.value};
    }
    case 3: {
        const Meaning s = random_set(random, depth - 1);
        const Meaning t = random_set(random, depth - 1);
        return {"(" + s.text + " * " + t.text + ")", [s, t](const Relations& b, const Execution& x) {
                    return s.value(b, x).then(everything(x.events.size())).then(t.value(b, x));
                }};
    }
    default:
        break;
    }
    const Meaning r = random_relation(random, depth - 1);
    const Meaning s = random_relation(random, depth - 1);
    switch (below(random, 4)) {
    case 0:
        return {"(" + r.text + " | " + s.text + ")",
                [r, s](const Relations& b, const Execution& x) { return r.value(b, x) | s.value(b, x); }};
    case 1:
        return {"(" + r.text + " & " + s.text + ")",
                [r, s](const Relations& b, const Execution& x) { return r.value(b, x) & s.value(b, x); }};
    case 2:
        return {"(" + r.text + " \\ " + s.text + ")",
                [r, s](const Relations& b, const Execution& x) { return r.value(b, x) - s.value(b, x); }};
    default:
        return {"(" + r.text + " ; " + s.text + ")",
                [r, s](const Relations& b, const Execution& x) { return r.value(b, x).then(s.value(b, x)); }};
    }
}

/// Every pair of the value, and the three checks, for random expressions.
void compare_random_expressions(std::uint64_t seed, std::size_t rounds, const test::ExecutionShape& shape) {
    Random random(seed);
    for (std::size_t k = 0; k < rounds; ++k) {
        const Meaning r = random_relation(random, static_cast<int>(1 + k % 4));
        const cat::Model model =
            good_cat("let r = " + r.text + "\nflag acyclic r as a\nflag irreflexive r as i\nflag empty r as e\n" +
                     "let rec s = r | (s ; s)\nflag ~empty (s \\ r+) | (r+ \\ s) as fixpoint-differs\n");
        cat::Judge judge(model, Architecture::C);
        for (int times = 0; times < 3; ++times) {
            const Execution x = test::random_execution(random, shape);
            const Relation value = r.value(Relations(x), x);
            ASSERT_TRUE(judged(judge, x));
            std::vector<std::string> expected;
            if (value.acyclic()) {
                expected.emplace_back("a");
            }
            if (value.irreflexive()) {
                expected.emplace_back("i");
            }
            if (value.empty()) {
                expected.emplace_back("e");
            }
            ASSERT_EQ(judge.flags(), expected) << r.text;
        }
    }
}

TEST(CatJudge, RandomExpressionsMeanWhatTheySay) { compare_random_expressions(1, 700, {.accesses = 7}); }

TEST(CatJudge, MoreThan64Events) { compare_random_expressions(2, 40, {.threads = 4, .accesses = 150, .locations = 3}); }

TEST(CatJudge, ValuesPairByPair) {
    // x = 1; r = y || y = 1; r = x, the second read reading the initial value
    Execution x;
    const auto add = [&](EventKind kind, std::uint32_t thread, std::uint32_t index, Address location) {
        Event e;
        e.kind = kind;
        e.thread = ThreadId(thread);
        e.index = index;
        e.location = location;
        e.order = Order::Relaxed;
        x.events.push_back(e);
    };
    add(EventKind::Init, 0, 0, 8);
    add(EventKind::Init, 0, 0, 16);
    add(EventKind::Write, 0, 0, 8);
    add(EventKind::Read, 0, 1, 16);
    add(EventKind::Write, 1, 0, 16);
    add(EventKind::Read, 1, 1, 8);
    x.events[3].source = 4;
    x.events[5].source = 0;
    x.coherence = {{8, {0, 2}}, {16, {1, 4}}};
    const cat::Model model = good_cat(R"(
flag ~empty [IW] ; co ; [W \ IW] as co
flag ~empty fre as fre
flag ~empty fri as fri
flag ~empty rfe & (W * R) & loc as rfe
flag ~empty rfi as rfi
flag ~empty [R] ; po as read-first
flag ~empty fr ; [W] ; po ; [R] as fr-po
flag ~empty rf & int as internal
flag ~empty [RLX & R] as relaxed
flag ~empty [LWSYNC] as fence-of-another
)");
    cat::Judge judge(model, Architecture::C);
    ASSERT_TRUE(judged(judge, x));
    EXPECT_THAT(judge.flags(), ElementsAre("co", "fre", "rfe", "fr-po", "relaxed"));
}

TEST(CatJudge, FunctionsProceduresAndScopes) {
    const cat::Model model = good_cat(R"(
let r = po
let f x = r ; x                     (* r is po, also when it means something else later *)
let r = rf
let both (a, b) = a ; b
let twice g x = g (g x)
let step x = x ; po-loc?
flag ~empty (f rf \ (po ; rf)) | ((po ; rf) \ f rf) as scope
flag ~empty (both(po, rf) \ (po ; rf)) as tuple
flag ~empty (twice step rf \ (rf ; po-loc? ; po-loc?)) | ((rf ; po-loc? ; po-loc?) \ twice step rf) as higher-order
procedure p(x) =
  let y = x
  flag ~empty (y \ po) as inside
end
call p(po)
)");
    cat::Judge judge(model, Architecture::C);
    Random random(3);
    for (int k = 0; k < 200; ++k) {
        const Execution x = test::random_execution(random, {});
        ASSERT_TRUE(judged(judge, x));
        ASSERT_THAT(judge.flags(), ElementsAre());
    }
}

TEST(CatJudge, MutualAndNestedRecursion) {
    // The least solution: paths of odd and of even length, alone and around an inner fixpoint.
    const cat::Model model = good_cat(R"(
let r = po-loc | co
let rec odd = r | (even ; r) and even = odd ; r
let square = r ; r
let other-even = square+
let other-odd = r ; square*
flag ~empty (odd \ other-odd) | (other-odd \ odd) as odd
flag ~empty (even \ other-even) | (other-even \ even) as even
let rec outer = rf | (let rec inner = outer | (inner ; po) in inner ; co)
let plain = rf ; (po* ; co)*
flag ~empty (outer \ plain) | (plain \ outer) as nested
let rec S = domain(fr) | range([S] ; po) and T = W & S
flag ~empty S \ (domain(fr) | range([domain(fr)] ; po)) as sets
)");
    cat::Judge judge(model, Architecture::C);
    Random random(4);
    for (int k = 0; k < 500; ++k) {
        const Execution x = test::random_execution(random, {.accesses = 10});
        ASSERT_TRUE(judged(judge, x));
        ASSERT_THAT(judge.flags(), ElementsAre());
    }
}

TEST(CatJudge, RecursionThatTakesAwayFollowsTheOrderOfDefinitions) {
    // Matching brackets, innermost first, as lkmm.cat matches critical sections. Reads open, writes close.
    const cat::Model model = good_cat(R"(
let rec open-lock = R \ domain(matched)
    and open-unlock = W \ range(matched) \ IW
    and open = open-lock | open-unlock
    and open-po = [open] ; po ; [open]
    and pair = [open-lock] ; po ; [open-unlock]
    and matched = matched | (pair \ (open-po ; open-po))
flag ~empty [R] ; matched ; [W] as some
flag ~empty (matched ; matched^-1) \ id as two-for-one
flag ~empty matched^-1 ; po ; [R \ domain(matched)] ; po & matched^-1 as hole
flag ~empty matched \ po as backwards
flag ~empty [domain(matched) & range(matched)] as both
flag ~empty [R \ domain(matched)] ; po ; [W \ range(matched)] as forgotten
)");
    cat::Judge judge(model, Architecture::C);
    Random random(4);
    std::size_t some = 0;
    for (int k = 0; k < 500; ++k) {
        const Execution x = test::random_execution(random, {.threads = 2, .accesses = 12});
        ASSERT_TRUE(judged(judge, x));
        const auto flags = judge.flags();
        some += flags.empty() ? 0 : 1;
        ASSERT_TRUE(flags.empty() || flags == std::vector<std::string>{"some"}) << flags.back();
    }
    EXPECT_GT(some, 200);
}

TEST(CatJudge, StagedEqualsFromScratch) {
    Random random(6);
    for (const char* name : {"sc", "tso", "rc11", "power", "armv8", "riscv", "lkmm"}) {
        const auto model = cat::Model::load(test::source_dir() + "/models/" + name + ".cat", {});
        ASSERT_TRUE(model.has_value());
        for (const Architecture a :
             {Architecture::C, Architecture::Power, Architecture::AArch64, Architecture::RiscV, Architecture::Lkmm}) {
            cat::Judge staged(*model, a);
            std::size_t consistent = 0;
            for (int k = 0; k < 40; ++k) {
                Execution x = test::random_execution(random, {.architecture = a, .accesses = 8, .dependencies = true});
                const bool begun = staged.begin(x);
                for (int s = 0; s < 4; ++s) {
                    test::choose_sources(x, random);
                    const bool sourced = begun && staged.choose_sources();
                    for (int c = 0; c < 4; ++c) {
                        test::choose_coherence(x, random);
                        cat::Judge fresh(*model, a);
                        const bool expected = judged(fresh, x);
                        ASSERT_EQ(sourced && staged.choose_coherence(), expected) << name;
                        if (expected) {
                            ASSERT_EQ(staged.flags(), fresh.flags()) << name;
                        }
                        consistent += expected ? 1 : 0;
                    }
                }
            }
            EXPECT_GT(consistent, 20) << name;
        }
    }
}

TEST(CatJudge, ChecksAreMadeAsSoonAsPossible) {
    const cat::Model model = good_cat("empty [RMW] as no-updates\nacyclic po | rf as no-thin-air\nacyclic po | co as order\n");
    cat::Judge judge(model, Architecture::C);
    Random random(8);
    std::size_t seen[4] = {};
    for (int k = 0; k < 2000; ++k) {
        const Execution x = test::random_execution(random, {.accesses = 6});
        if (!judge.begin(x)) {
            EXPECT_EQ(judge.broken(), "no-updates");
            ++seen[0];
        } else if (!judge.choose_sources()) {
            EXPECT_EQ(judge.broken(), "no-thin-air");
            ++seen[1];
        } else if (!judge.choose_coherence()) {
            EXPECT_EQ(judge.broken(), "order");
            ++seen[2];
        } else {
            ++seen[3];
        }
    }
    for (const std::size_t times : seen) {
        EXPECT_GT(times, 10);
    }
}

TEST(CatJudge, FlagsAndUndefinedBehaviour) {
    const cat::Model model = good_cat("acyclic po\nundefined_unless empty rf\nundefined_unless empty co as again\n"
                                      "flag empty rf as no-reads\nassert ~empty W as some-write\n");
    cat::Judge judge(model, Architecture::C);
    Execution x;
    ASSERT_TRUE(judged(judge, x));
    EXPECT_THAT(judge.flags(), UnorderedElementsAre("no-reads", "assertion failed: some-write"));
    x.events.resize(2); // an initial write and a read of it
    x.events[1].kind = EventKind::Read;
    x.events[1].source = 0;
    x.coherence[0] = {0};
    ASSERT_TRUE(judged(judge, x));
    EXPECT_THAT(judge.flags(), ElementsAre("undef"));
}

} // namespace
} // namespace heddle
