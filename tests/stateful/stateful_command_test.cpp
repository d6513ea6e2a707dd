// heddle check --search stateful, as a user meets it.
#include "paths.hpp"
#include "shell_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace {

using heddle::testing_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;

class StatefulCommand : public heddle::testing_support::ShellTest {
  protected:
    /// What the JSON document says of a program of tests/.
    [[nodiscard]] nlohmann::json checked(const std::string& program, const std::string& options) const {
        const std::string path = heddle::test::source_dir() + "/tests/" + program;
        const Outcome o = shell("heddle check " + path + " --search stateful --json - " + options);
        EXPECT_THAT(o.out, HasSubstr("\"verdict\"")) << options << o.err;
        return nlohmann::json::parse(o.out, nullptr, false);
    }
};

TEST_F(StatefulCommand, RefusesWhatItDoesNotKnow) {
    file("a.c", "int main(void) { return 0; }\n");
    for (const char* options :
         {"--search stateful", "--search stateful --model rc11", "--search stateful --model power",
          "--search stateful --model tso --equivalence rf", "--search stateful --model sc --max-executions 3",
          "--model tso --buffer 3", "--model tso --hash-compaction", "--model sc --property termination",
          "--model sc --without local-steps", "--search stateful --model sc --property fame",
          "--search stateful --model sc --property termination --hash-compaction",
          "--search reference --model sc --property unreach-call"}) {
        const Outcome o = shell(std::string("heddle check a.c ") + options);
        EXPECT_EQ(o.exit, 2) << options << "\n" << o.out;
        EXPECT_NE(o.err, "") << options;
    }
    EXPECT_EQ(shell("heddle check a.c --search stateful --model pso").exit, 0);
}

TEST_F(StatefulCommand, TellsAStoryOfStaleReads) {
    const Outcome o =
        shell("heddle check " + heddle::test::source_dir() + "/tests/endless/peterson.c --search stateful --model tso");
    EXPECT_EQ(o.exit, 1);
    EXPECT_THAT(o.out, AllOf(HasSubstr("assertion"), HasSubstr("stale"), HasSubstr("spawns T1"), HasSubstr("explicit states")));
}

TEST_F(StatefulCommand, WitnessesReadWhatWasWritten) {
    const nlohmann::json json = checked("endless/dekker.c", "--model tso");
    const auto& witness = json["violations"][0]["witness"];
    EXPECT_GT(witness["rf"].size(), 3u);
    for (const auto& pair : witness["rf"]) {
        const auto& write = witness["events"][pair[0].get<std::size_t>()];
        const auto& read = witness["events"][pair[1].get<std::size_t>()];
        EXPECT_EQ(write["location"], read["location"]);
        EXPECT_EQ(write["value"], read["value"]) << read;
        EXPECT_LT(pair[0], pair[1]);
    }
}

TEST_F(StatefulCommand, SaysWhatItsVerdictRestsOn) {
    const nlohmann::json hashes = checked("endless/ring.c", "--model tso --hash-compaction");
    EXPECT_EQ(hashes["verdict"], "SafeWithinBound");
    EXPECT_EQ(hashes["assumptions"][0]["kind"], "hash-compaction");
    const nlohmann::json bounded = checked("endless/ring.c", "--model tso --buffer 2");
    EXPECT_EQ(bounded["verdict"], "SafeWithinBound");
    EXPECT_EQ(bounded["assumptions"][0]["kind"], "store-buffer");
    EXPECT_EQ(checked("endless/ring.c", "--model sc --buffer 2")["verdict"], "Safe"); // there are none
    EXPECT_EQ(checked("endless/dekker.c", "--model tso --hash-compaction")["verdict"], "Violation");
}

TEST_F(StatefulCommand, CountsTheSameWithTwoWorkers) {
    const nlohmann::json one = checked("svcomp/fib_bench.c", "--model tso -j 1 -- -DROUNDS=5");
    const nlohmann::json two = checked("svcomp/fib_bench.c", "--model tso -j 2 -- -DROUNDS=5");
    EXPECT_GT(one["states"]["states"], 10'000);
    EXPECT_EQ(one["states"]["states"], two["states"]["states"]);
    EXPECT_EQ(one["states"]["steps"], two["states"]["steps"]);
    EXPECT_EQ(one["states"]["final"], two["states"]["final"]);
    EXPECT_LT(one["states"]["bytes"].get<double>() / one["states"]["states"].get<double>(), 100);
}

TEST_F(StatefulCommand, SaysTheSameWithoutItsOptimisations) {
    for (const std::string program :
         {"endless/allocate.c", "endless/peterson.c", "svcomp/stack.c", "svcomp/lazy.c", "zoo/leak.c", "zoo/ms_queue.c",
          "zoo/treiber_aba.c", "zoo/rcu.c", "zoo/double_free.c", "zoo/ended_local.c"}) {
        for (const std::string model : {"sc", "tso", "pso"}) {
            const nlohmann::json usual = checked(program, "--model " + model);
            for (const std::string without : {"delayed-flushing", "local-steps", "private-objects", "partial-order"}) {
                if (program == "endless/peterson.c" && without == "delayed-flushing") {
                    continue; // a violation anyway, and the buffers of those who run on grow for ever
                }
                const nlohmann::json other = checked(program, "--model " + model + " --without " + without);
                EXPECT_EQ(other["verdict"], usual["verdict"]) << program << " " << model << " " << without;
                EXPECT_GE(other["states"]["states"], usual["states"]["states"]) << program << " " << model << " " << without;
            }
        }
    }
}

TEST_F(StatefulCommand, EndsWhenMemoryDoes) {
    const nlohmann::json json = checked("svcomp/fib_bench.c", "--model tso --max-memory 5");
    EXPECT_EQ(json["verdict"], "OutOfBudget");
    EXPECT_GT(json["states"]["states"], 0);
    EXPECT_THAT(json["reason"]["message"].get<std::string>(), HasSubstr("--max-memory"));
}

TEST_F(StatefulCommand, FollowsNobodyForEver) {
    // Threads that count their attempts: where others wait for them it is asked what they do by themselves, and that never ends.
    const std::string head = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int l; int c;\n"
                             "static void *f(void *p) { long n = 0; while (atomic_exchange(&l, 1)) n++; c++; atomic_store(&l, "
                             "0); return (void *)n; }\n";
    file("lock.c", head + "int main(void) { pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);\n"
                          "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n");
    const Outcome memory = shell("heddle check lock.c --search stateful --model sc --max-memory 60");
    EXPECT_EQ(memory.exit, 4) << memory.err;
    EXPECT_THAT(memory.out, HasSubstr("OutOfBudget: --max-memory 60 MB"));
    file("never.c", head + "static void *g(void *p) { atomic_store(&l, 1); return p; }\n"
                           "int main(void) { l = 1; pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0); "
                           "pthread_join(a, 0); return 0; }\n");
    const Outcome never = shell("heddle check never.c --search stateful --model sc --timeout 2");
    EXPECT_EQ(never.exit, 4) << never.err;
    EXPECT_THAT(never.out, HasSubstr("OutOfBudget: thread 1 goes round a loop for too long"));
}

TEST_F(StatefulCommand, DoesNotTryMillionsOfOrders) {
    // Stores of different sizes to the same bytes, each pending in a buffer of its own: which reached memory in which order is decided by one load.
    std::string text =
        "#include <pthread.h>\n#include <stdint.h>\nvolatile union { uint64_t q; uint32_t w[2]; uint16_t h[4]; } u;\n"
        "static void *r(void *p) { return (void *)u.q; }\n";
    std::string start;
    for (int k = 0; k < 10; ++k) {
        const std::string n = std::to_string(k);
        text += "static void *f" + n + "(void *p) { u." + (k % 2 == 0 ? "q" : "w[1]") + " = " + n + "; return p; }\n";
        start += "  pthread_create(&t, 0, f" + n + ", 0);\n";
    }
    file("orders.c", text + "int main(void) { pthread_t t;\n" + start + "  pthread_create(&t, 0, r, 0); return (int)u.q; }\n");
    const Outcome o = shell("heddle check orders.c --search stateful --model pso --timeout 1000");
    EXPECT_EQ(o.exit, 4) << o.out << o.err;
    EXPECT_THAT(o.out, HasSubstr("more stores to the same bytes are pending than their orders can be tried"));
}

TEST_F(StatefulCommand, SeesALoopThatDoesNothing) {
    file("a.c", "#include <pthread.h>\nstatic void *t(void *p) { for (volatile int k = 0;; k = !k) { } return p; }\n"
                "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); return 0; }\n");
    const Outcome o = shell("heddle check a.c --search stateful --model sc");
    EXPECT_EQ(o.exit, 1);
    EXPECT_THAT(o.out, HasSubstr("liveness"));
}

} // namespace
