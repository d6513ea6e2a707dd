// What the reports call the memory and the pointers of a program: source terms, the same in every search.
#include "shell_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>
#include <string>

namespace {

using heddle::testing_support::Outcome;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

const std::string kHead = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n";

class NamesTest : public heddle::testing_support::ShellTest {
  protected:
    /// The locations that thread 1 writes, each followed by "=" and the value, in a program whose thread runs `body`, and which fails after that.
    [[nodiscard]] std::set<std::string> written(const std::string& globals, const std::string& body,
                                                const std::string& options = "") const {
        file("p.c", kHead + globals + "\nstatic void *worker(void *arg) {\n" + body +
                        "\n    return arg;\n}\n"
                        "int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, worker, 0);\n    pthread_join(t, 0);\n    "
                        "assert(0);\n}\n");
        const Outcome o = shell("heddle check p.c --json - " + options);
        const auto json = nlohmann::json::parse(o.out, nullptr, false);
        EXPECT_EQ(o.exit, 1) << o.out << o.err;
        std::set<std::string> found;
        if (o.exit == 1) {
            for (const auto& e : json.at("violations").at(0).at("witness").at("events")) {
                if (e.at("kind") == "write" && e.at("thread") == 1) {
                    found.insert(e.at("location").get<std::string>() + "=" + e.at("value").get<std::string>());
                }
            }
        }
        return found;
    }
};

TEST_F(NamesTest, PartsOfVariables) {
    EXPECT_THAT(
        written(
            "atomic_int table[40]; int matrix[2][3]; typedef struct { int head; struct { int turn, value[2]; } slots[4]; } "
            "queue_t;\n"
            "queue_t queue; struct { int before; union { int i; float f; }; struct { int deep; }; } anonymous;\n"
            "union { struct { int lo, hi; } half; float one[2]; } word; struct { unsigned x : 3, y : 5; int z; } bits;\n"
            "_Atomic struct pair { int a, b; } pair; static _Thread_local struct pair mine; struct pair *_Atomic hole;",
            "table[30] = 1; matrix[1][0] = 2; queue.slots[2].value[1] = 3; queue.head = 4; anonymous.i = 5; anonymous.deep = 6;\n"
            "word.half.hi = 7; bits.y = 1; bits.z = 9; pair = (struct pair){1, 0}; hole = &mine; mine.b = 10;"),
        IsSupersetOf({"table[30]=1", "matrix[1][0]=2", "queue.slots[2].value[1]=3", "queue.head=4", "anonymous.i=5",
                      "anonymous.deep=6", "word.half.hi=7", "bits.{x,y}=8", "bits.z=9", "pair=1", "hole=&mine", "mine.b=10"}));
}

TEST_F(NamesTest, Pointers) {
    for (const char* search : {"", "--equivalence value --model sc", "--search stateful --model sc"}) {
        EXPECT_THAT(written("struct node { int value; struct node *next; } node, *top; void *p; int table[4]; struct node *q; "
                            "void *f; int *g;",
                            "top = &node; node.next = &node; p = &node.next; g = &table[3]; f = worker;\n"
                            "q = malloc(2 * sizeof *q);\nq[1].value = 6; top = &q[1];",
                            search),
                    IsSupersetOf({"top=&node", "node.next=&node", "p=&node.next", "g=&table[3]", "f=&worker",
                                  "q=heap object (p.c:8)", "heap object (p.c:8)+16=6", "top=heap object (p.c:8)+16"}))
            << search;
    }
}

TEST_F(NamesTest, ALostWakeUpNamesItsConditionVariable) {
    file("p.c", kHead +
                    "pthread_mutex_t m;\nstruct { int pad; pthread_cond_t nonempty; } queue;\n"
                    "static void *waiter(void *arg) {\n    pthread_mutex_lock(&m);\n    pthread_cond_wait(&queue.nonempty, &m);\n"
                    "    pthread_mutex_unlock(&m);\n    return arg;\n}\n"
                    "int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, waiter, 0);\n"
                    "    pthread_mutex_lock(&m);\n    pthread_cond_signal(&queue.nonempty);\n    pthread_mutex_unlock(&m);\n"
                    "    pthread_join(t, 0);\n    return 0;\n}\n");
    for (const char* search : {"", "--equivalence value --model sc", "--search stateful --model sc"}) {
        const Outcome o = shell(std::string("heddle check p.c ") + search);
        EXPECT_EQ(o.exit, 1) << search << o.err;
        EXPECT_THAT(o.out, AllOf(HasSubstr("thread 1 waits to be woken up, and nobody does it (queue.nonempty)"),
                                 HasSubstr("waits on queue.nonempty"), HasSubstr("finds nobody waiting on queue.nonempty"),
                                 HasSubstr("locks m"), Not(HasSubstr("0x")), Not(HasSubstr("+"))))
            << search;
    }
}

TEST_F(NamesTest, ADeadlockNamesTheLocks) {
    file("p.c",
         kHead +
             "struct account { int balance; pthread_mutex_t lock; } accounts[2];\n"
             "static void *worker(void *arg) {\n    long k = (long)arg;\n    pthread_mutex_lock(&accounts[k].lock);\n"
             "    pthread_mutex_lock(&accounts[1 - k].lock);\n"
             "    pthread_mutex_unlock(&accounts[1 - k].lock);\n    pthread_mutex_unlock(&accounts[k].lock);\n    return 0;\n}\n"
             "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, worker, (void *)0);\n"
             "    pthread_create(&b, 0, worker, (void *)1);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    "
             "return 0;\n}\n");
    for (const char* search : {"", "--equivalence value --model sc", "--search stateful --model sc"}) {
        const Outcome o = shell(std::string("heddle check p.c ") + search);
        EXPECT_EQ(o.exit, 1) << search << o.err;
        EXPECT_THAT(o.out, AllOf(HasSubstr("waits for a lock that thread 2 holds (accounts[1].lock)"),
                                 HasSubstr("waits for a lock that thread 1 holds (accounts[0].lock)"),
                                 HasSubstr("locks accounts[0].lock"), Not(HasSubstr("lock+"))))
            << search;
    }
}

TEST_F(NamesTest, ARaceNamesThePart) {
    file("p.c",
         kHead +
             "struct { int a, b[3]; } s;\nstatic void *worker(void *arg) {\n    s.b[2] = 1;\n    return arg;\n}\n"
             "int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, worker, 0);\n    s.b[2] = 2;\n    return 0;\n}\n");
    EXPECT_THAT(shell("heddle check p.c --model rc11").out, HasSubstr("s.b[2]"));
    EXPECT_THAT(shell("heddle check p.c --search stateful --model sc --races").out, HasSubstr("s.b[2]"));
}

} // namespace
