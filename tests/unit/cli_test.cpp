// What a user meets at the command line: usage errors, exit codes, and files that cannot be read. Whole programs are tests/programs.
#include "cli/exit_code.hpp"
#include "shell_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using heddle::testing_support::Outcome;
using Cli = heddle::testing_support::ShellTest;

TEST_F(Cli, VersionAndHelp) {
    const Outcome version = shell("heddle --version");
    EXPECT_EQ(version.exit, 0);
    EXPECT_THAT(version.out, HasSubstr("heddle "));
    const Outcome help = shell("heddle --help");
    EXPECT_EQ(help.exit, 0);
    EXPECT_THAT(help.out, HasSubstr("run"));
    const Outcome run_help = shell("heddle run --help");
    EXPECT_EQ(run_help.exit, 0);
    EXPECT_THAT(run_help.out, AllOf(HasSubstr("--seed"), HasSubstr("--timeout"), HasSubstr("-- -O2")));
}

TEST_F(Cli, BadUsageIsExit2) {
    file("a.c", "int main(void) { return 0; }\n");
    for (const char* command :
         {"heddle", "heddle run", "heddle frobnicate a.c", "heddle run --no-such-option a.c", "heddle run a.c --seed x",
          "heddle run a.c --timeout -1", "heddle run a.c --timeout", "heddle run -- -O2"}) {
        const Outcome o = shell(command);
        EXPECT_EQ(o.exit, 2) << command << "\n" << o.out << o.err;
        EXPECT_THAT(o.err, Not(IsEmpty())) << command;
        EXPECT_THAT(o.out, IsEmpty()) << command;
    }
    EXPECT_THAT(shell("heddle run --no-such-option a.c").err, HasSubstr("--no-such-option"));
    EXPECT_THAT(shell("heddle run").err, HasSubstr("files"));
}

TEST_F(Cli, TruncatedBitcodeIsExit2) {
    file("a.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }\n");
    ASSERT_EQ(shell("clang-19 -g -c -emit-llvm a.c -o a.bc").exit, 0);
    EXPECT_EQ(shell("heddle run a.bc").exit, 3);
    const std::string whole = read("a.bc");
    ASSERT_GT(whole.size(), 1000U);
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{100}, whole.size() / 2, whole.size() - 4}) {
        file("cut.bc", whole.substr(0, size));
        const Outcome o = shell("heddle run cut.bc");
        EXPECT_EQ(o.exit, 2) << "cut to " << size << " bytes\n" << o.err;
        EXPECT_THAT(o.err, HasSubstr("cut.bc")) << size;
    }
}

TEST_F(Cli, BitcodeAndAssemblyRunAsTheirSource) {
    file("a.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 3; }\n");
    ASSERT_EQ(
        shell("clang-19 -O1 -c -emit-llvm a.c -o a.bc && clang-19 -S -emit-llvm a.c -o a.ll && clang-19 -E a.c -o a.i").exit, 0);
    for (const char* name : {"a.c", "a.bc", "a.ll", "a.i"}) {
        const Outcome o = shell(std::string("heddle run ") + name);
        EXPECT_EQ(o.exit, 3) << name << "\n" << o.err;
        EXPECT_EQ(o.out, "hello\n") << name;
        EXPECT_THAT(o.err, IsEmpty()) << name;
    }
}

TEST_F(Cli, CompileErrorIsClangs) {
    file("a.c", "int main(void) {\n    return oops;\n}\n");
    const Outcome o = shell("heddle run a.c");
    EXPECT_EQ(o.exit, 2);
    EXPECT_THAT(o.err, HasSubstr("a.c:2:12: error: use of undeclared identifier 'oops'"));
}

TEST_F(Cli, ASeedGivesTheSameRunAgain) {
    file("a.c", "#include <pthread.h>\n#include <stdio.h>\n"
                "static void *f(void *p) { for (int i = 0; i < 5; i++) printf(\"%d\\n\", *(int *)p); return 0; }\n"
                "int main(void) { int a = 1, b = 2; pthread_t t, u; pthread_create(&t, 0, f, &a); pthread_create(&u, 0, f, &b);\n"
                "pthread_join(t, 0); pthread_join(u, 0); }\n");
    bool other = false;
    const std::string plain = shell("heddle run a.c").out;
    EXPECT_EQ(shell("heddle run a.c").out, plain);
    for (int seed = 1; seed <= 5; ++seed) {
        const std::string command = "heddle run a.c --seed " + std::to_string(seed);
        const Outcome once = shell(command);
        const Outcome again = shell(command);
        EXPECT_EQ(once.exit, 0) << once.err;
        EXPECT_EQ(once.out, again.out) << seed;
        EXPECT_EQ(once.out.size(), plain.size());
        other |= once.out != plain;
    }
    EXPECT_TRUE(other) << "no seed changed the schedule";
}

TEST_F(Cli, ArgumentsReachTheProgram) {
    file("a.c", "#include <stdio.h>\nint main(int n, char **a) { for (int i = 1; i < n; i++) puts(a[i]); return n; }\n");
    const Outcome o = shell("heddle run a.c --arg one --arg 'two words' --arg --dashes");
    EXPECT_EQ(o.exit, 4) << o.err;
    EXPECT_EQ(o.out, "one\ntwo words\n--dashes\n");
}

TEST_F(Cli, OutputThatNobodyReadsIsNoCrash) {
    file("a.c", "#include <stdio.h>\nint main(void) { for (int i = 0; i < 20000; i++) puts(\"many lines\"); return 0; }\n");
    EXPECT_THAT(shell("heddle run a.c | head -1").out, HasSubstr("many lines"));
    EXPECT_NE(shell("heddle run a.c >/dev/full").exit, -1);
}

TEST_F(Cli, ItDoesNotWriteBesideTheInput) {
    file("a.c", "int main(void) { return 0; }\n");
    EXPECT_EQ(shell("mkdir here && cp a.c here && cd here && heddle run a.c && ls").out, "a.c\n");
}

TEST_F(Cli, DumpProgramPrintsCode) {
    file("a.c", "int main(void) { return 0; }\n");
    const Outcome o = shell("heddle run --dump-program a.c");
    EXPECT_EQ(o.exit, 0);
    EXPECT_THAT(o.out, HasSubstr("main"));
}

TEST(ExitCode, OfEachVerdict) {
    using heddle::Verdict;
    using heddle::cli::exit_code_of;
    EXPECT_EQ(exit_code_of(Verdict::Safe), 0);
    EXPECT_EQ(exit_code_of(Verdict::Violation), 1);
    EXPECT_EQ(exit_code_of(Verdict::SafeWithinBound), 3);
    EXPECT_EQ(exit_code_of(Verdict::OutOfBudget), 4);
    EXPECT_EQ(exit_code_of(Verdict::Unsupported), 5);
}

constexpr const char* kStoreBuffering = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, a, b;
static void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed); a = atomic_load_explicit(&y, memory_order_relaxed); return p; }
static void *g(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed); b = atomic_load_explicit(&x, memory_order_relaxed); return p; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, f, 0);
    pthread_create(&u, 0, g, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
    assert(a || b);
}
)";

TEST_F(Cli, CheckDependsOnTheModel) {
    file("sb.c", kStoreBuffering);
    const Outcome weak = shell("heddle check sb.c");
    EXPECT_EQ(weak.exit, 1) << weak.err;
    EXPECT_THAT(weak.out,
                AllOf(HasSubstr("assertion: "), HasSubstr("sb.c:13:5"), HasSubstr("\nViolation: assertion at sb.c:13:5"),
                      HasSubstr("model rc11, equivalence trace"), Not(HasSubstr("\x1b"))));
    const Outcome strong = shell("heddle check sb.c --model sc");
    EXPECT_EQ(strong.exit, 0) << strong.err;
    EXPECT_THAT(strong.out, AllOf(testing::StartsWith("Safe: "), HasSubstr("model sc"), HasSubstr("complete")));
    // The reference search does not judge everything, and says so.
    const Outcome reference = shell("heddle check sb.c --model sc --search reference");
    EXPECT_EQ(reference.exit, 3) << reference.err;
    EXPECT_THAT(reference.out, AllOf(testing::StartsWith("SafeWithinBound: "), HasSubstr("not-judged"), HasSubstr("3 complete")));
}

TEST_F(Cli, CheckQuietlyIsOneLine) {
    file("sb.c", kStoreBuffering);
    const Outcome o = shell("heddle check -q sb.c --model tso");
    EXPECT_EQ(o.exit, 1);
    EXPECT_THAT(o.out, testing::StartsWith("Violation: "));
    EXPECT_EQ(std::ranges::count(o.out, '\n'), 1);
    EXPECT_THAT(shell("heddle check -q --color always sb.c").out, testing::StartsWith("\x1b["));
}

TEST_F(Cli, CheckWritesJson) {
    file("sb.c", kStoreBuffering);
    const Outcome o = shell("heddle check sb.c --model pso --json -");
    EXPECT_EQ(o.exit, 1) << o.err;
    const nlohmann::json json = nlohmann::json::parse(o.out); // nothing else is on stdout
    EXPECT_EQ(json["verdict"], "Violation");
    EXPECT_EQ(json["model"], "pso");
    EXPECT_EQ(json["search"], "dpor");
    EXPECT_EQ(json["violations"][0]["place"], "sb.c:13:5");
    EXPECT_GT(json["stats"]["peak_memory_kb"], 1000);

    const Outcome to_file = shell("heddle check sb.c --model sc --json out.json");
    EXPECT_EQ(to_file.exit, 0);
    EXPECT_THAT(to_file.out, testing::StartsWith("Safe: "));
    EXPECT_EQ(nlohmann::json::parse(read("out.json"))["verdict"], "Safe");

    const Outcome no_folder = shell("heddle check sb.c --json no/such/folder.json");
    EXPECT_EQ(no_folder.exit, 2);
    EXPECT_THAT(no_folder.err, HasSubstr("no/such/folder.json"));
    EXPECT_EQ(shell("heddle check sb.c --json /dev/full").exit, 2);
}

TEST_F(Cli, CheckIsHonestAboutWhatItCannotDo) {
    file("a.c", "#include <setjmp.h>\njmp_buf b;\nint main(void) {\n    longjmp(b, 1);\n}\n");
    const Outcome o = shell("heddle check a.c");
    EXPECT_EQ(o.exit, 5) << o.err;
    EXPECT_THAT(o.out, AllOf(testing::StartsWith("Unsupported: "), HasSubstr("longjmp"), HasSubstr("a.c:4")));
    const Outcome json = shell("heddle check a.c --json -");
    EXPECT_EQ(json.exit, 5);
    EXPECT_EQ(nlohmann::json::parse(json.out)["verdict"], "Unsupported");
}

TEST_F(Cli, CheckRejectsBadUsage) {
    file("a.c", "int main(void) { return 0; }\n");
    file("broken.c", "int main(void) { return oops; }\n");
    for (const char* command :
         {"heddle check", "heddle check a.c --equivalence values", "heddle check a.c --search random",
          "heddle check a.c --timeout 0", "heddle check a.c --unroll -3", "heddle check a.c --max-memory x",
          "heddle check a.c --max-executions 1.5", "heddle check a.c -j 0", "heddle check a.c --progress sometimes",
          "heddle check a.c --color red", "heddle check a.c -q -v", "heddle check a.c --no-such-option", "heddle check none.c",
          "heddle check broken.c", "heddle check broken.c --json -", "heddle check a.c --search reference --races",
          "heddle check a.c --search reference --unroll 2", "heddle check a.c --search reference --equivalence rf"}) {
        const Outcome o = shell(command);
        EXPECT_EQ(o.exit, 2) << command << "\n" << o.out << o.err;
        EXPECT_THAT(o.err, Not(IsEmpty())) << command;
        EXPECT_THAT(o.out, IsEmpty()) << command;
    }
    const Outcome model = shell("heddle check a.c --model c12");
    EXPECT_EQ(model.exit, 2);
    EXPECT_THAT(model.err, AllOf(HasSubstr("'c12'"), HasSubstr("sc, tso, pso, ra, rc11")));
}

TEST_F(Cli, CheckByValuesTellsWhatStaysInStoreBuffers) {
    file("sb.c", "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"
                 "atomic_int x, y; int a, b;\n"
                 "void *f(void *p) { atomic_store_explicit(&x, 1, memory_order_relaxed);\n"
                 "  a = atomic_load_explicit(&y, memory_order_relaxed); return p; }\n"
                 "void *g(void *p) { atomic_store_explicit(&y, 1, memory_order_relaxed);\n"
                 "  b = atomic_load_explicit(&x, memory_order_relaxed); return p; }\n"
                 "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);\n"
                 "  pthread_join(s, 0); pthread_join(t, 0); assert(a || b); }\n");
    const Outcome sc = shell("heddle check sb.c --model sc --equivalence value --json -");
    EXPECT_EQ(sc.exit, 0) << sc.out << sc.err;
    const auto json = nlohmann::json::parse(sc.out);
    EXPECT_EQ(json["equivalence"], "value");
    EXPECT_EQ(json["executions"]["complete"], 3);
    EXPECT_EQ(json["stats"]["jobs"], 1);
    const Outcome tso = shell("heddle check sb.c --model tso --equivalence value");
    EXPECT_EQ(tso.exit, 1) << tso.out << tso.err;
    EXPECT_THAT(tso.out,
                AllOf(HasSubstr("x = 1  (relaxed)  (buffered)"), HasSubstr("x = 1 reaches memory"), Not(HasSubstr("stale"))));
    for (const char* model : {"ra", "rc11"}) { // no machine: the story is like that of the other equivalences
        const Outcome o = shell(std::string("heddle check sb.c --equivalence value --model ") + model);
        EXPECT_EQ(o.exit, 1) << o.out << o.err;
        EXPECT_THAT(o.out, AllOf(HasSubstr("stale"), Not(HasSubstr("buffered")), Not(HasSubstr("reaches memory"))));
    }
    const Outcome power = shell("heddle check sb.c --model power --equivalence value");
    EXPECT_EQ(power.exit, 5) << power.out;
    EXPECT_THAT(power.out, HasSubstr("--equivalence value under power"));
}

TEST_F(Cli, CheckTakesItsOptions) {
    file("a.c", "int main(int n, char **a) { return n == 3 && a[2][0] == 'b' ? 0 : *(volatile int *)0; }\n");
    const Outcome o = shell("heddle check a.c --arg a --arg b --races --keep-going --no-leaks --spurious-wakeups --unroll 9 "
                            "--timeout 9.5 --max-memory 9000 --max-executions 999 --no-symmetry -j 2 --progress always --color "
                            "never -v --equivalence rf -- -O1");
    EXPECT_TRUE(o.exit == 0 || o.exit == 3) << o.exit << o.out << o.err;
    EXPECT_THAT(o.out, HasSubstr("equivalence rf"));
    EXPECT_EQ(shell("heddle check a.c").exit, 1);
}

TEST_F(Cli, ModelsAreListed) {
    const Outcome o = shell("heddle models");
    EXPECT_EQ(o.exit, 0);
    for (const char* name : {"sc ", "tso ", "pso ", "ra ", "rc11 "}) {
        EXPECT_THAT("\n" + o.out, HasSubstr(std::string("\n") + name));
    }
}

TEST_F(Cli, GenerateWritesOneTestOrAFolder) {
    const Outcome one = shell("heddle generate --arch X86 --cycle 'Fre PodWR Fre PodWR'");
    EXPECT_EQ(one.exit, 0);
    EXPECT_THAT(one.out, AllOf(HasSubstr("X86 SB\n"), HasSubstr("exists (0:EAX=0 /\\ 1:EAX=0)\n")));
    const Outcome many = shell("heddle generate --arch PPC --relations 'Rfe,Fre,Coe Pod**' --threads 2..3 --out tests");
    EXPECT_EQ(many.exit, 0);
    EXPECT_THAT(many.err, HasSubstr("23 tests written to tests")); // 6 with two threads, 17 with three
    EXPECT_THAT(read("tests/@all"), AllOf(HasSubstr("MP.litmus\n"), HasSubstr("Z6.5.litmus\n")));
    EXPECT_THAT(read("tests/ISA2.litmus"), HasSubstr("PPC ISA2\n"));
    const Outcome some = shell("heddle generate --arch PPC --max 5 --list");
    EXPECT_EQ(some.exit, 0);
    EXPECT_EQ(std::ranges::count(some.out, '\n'), 5);
    EXPECT_THAT(some.err, HasSubstr("stopped after 5 tests"));
    const Outcome twice = shell("heddle generate --arch C --list --cycle 'PodWW Rfe PodRR Fre' --cycle 'PodRR Fre PodWW Rfe'");
    EXPECT_EQ(std::ranges::count(twice.out, '\n'), 1);
}

TEST_F(Cli, GenerateSaysWhatIsWrong) {
    const Outcome relation = shell("heddle generate --arch X86 --cycle 'SyncdWR Fre PodWR Fre'");
    EXPECT_EQ(relation.exit, 2);
    EXPECT_THAT(relation.err, AllOf(HasSubstr("X86 has no relation 'SyncdWR'"), HasSubstr("MFenced**")));
    const Outcome cycle = shell("heddle generate --arch X86 --cycle 'PodWR Rfe'");
    EXPECT_EQ(cycle.exit, 2);
    EXPECT_THAT(cycle.err, HasSubstr("PodWR ends at a read, but Rfe"));
    EXPECT_THAT(shell("heddle generate --arch MIPS").err, HasSubstr("no architecture 'MIPS'; there are PPC, X86,"));
    file("taken", "");
    for (const char* command : {"heddle generate", "heddle generate --arch MIPS", "heddle generate --arch PPC --threads 3..2",
                                "heddle generate --arch PPC --threads x", "heddle generate --arch PPC --threads 0",
                                "heddle generate --arch PPC --relations 'Rfe' --cycle 'Rfe PodRW Rfe PodRW'",
                                "heddle generate --arch PPC --max 0", "heddle generate --arch PPC --out taken"}) {
        EXPECT_EQ(shell(command).exit, 2) << command;
    }
}

} // namespace
