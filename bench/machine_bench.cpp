// What the machine costs: instructions, stopping at an action and resuming, keeping and restoring a thread's state, starting up.
// Ratios are what counts: the native loop is measured beside ours.
#include "frontend/clang/frontend.hpp"
#include "machine/machine.hpp"
#include "native_loop.h"

#include <benchmark/benchmark.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace {

using namespace heddle;

/// Compiles C text as `heddle run` would.
Program compile(const std::string& source, clang_frontend::Timing* timing = nullptr) {
    const auto path = std::filesystem::temp_directory_path() / ("heddle-bench-" + std::to_string(getpid()) + ".c");
    std::ofstream(path) << source;
    const auto resources = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "heddle";
    auto program = clang_frontend::load({.files = {path.string()}, .flags = {}, .arguments = {}, .resources = resources}, timing);
    std::filesystem::remove(path);
    if (!program) {
        std::fprintf(stderr, "%s\n", program.error().message.c_str());
        std::exit(1);
    }
    return std::move(*program);
}

std::string native_loop_source() {
    std::ifstream in(HEDDLE_SOURCE_DIR "/bench/native_loop.c");
    return {std::istreambuf_iterator<char>(in), {}};
}

constexpr unsigned kIterations = 1000000;

/// native_loop.c, compiled at -O0 by the same clang, on the processor ...
void native_loop_O0(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(native_loop(kIterations));
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kIterations);
}
BENCHMARK(native_loop_O0);

/// ... and on the machine. Aim: at most 15 times the time of native_loop_O0.
void machine_loop(benchmark::State& state) {
    const Program program =
        compile(native_loop_source() + "int main(void) { return (int)(native_loop(" + std::to_string(kIterations) + ") & 1); }");
    Machine machine(program, {.patience = ~std::uint64_t{0}});
    for (auto _ : state) {
        Memory memory(program);
        ThreadState thread = machine.start_main();
        benchmark::DoNotOptimize(machine.run(thread, memory).kind);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * kIterations);
}
BENCHMARK(machine_loop);

/// A thread at the first access of a global, `depth` calls below main.
struct AtAction {
    explicit AtAction(int depth)
        : program(
              compile("int x;\n"
                      "__attribute__((noinline)) static void down(int n) { if (n > 1) down(n - 1); else for (;;) x = x + 1; }\n"
                      "int main(void) { down(" +
                      std::to_string(depth) + "); return 0; }")),
          machine(program), memory(program), thread(machine.start_main()) {
        for (action = machine.run(thread, memory.objects()); thread.top->function->name != "down";
             action = machine.run(thread, memory.objects())) {
            machine.resume(thread, *memory.perform(action)); // what the start of the program does
        }
    }
    Program program;
    Machine machine;
    Memory memory;
    ThreadState thread;
    Action action;
};

/// One action and its outcome: stop, carry out, resume. Aim: under 50 ns, memory's part apart.
void stop_and_resume(benchmark::State& state) {
    AtAction at(1);
    for (auto _ : state) {
        at.machine.resume(at.thread, {.lo = 1});
        benchmark::DoNotOptimize(at.machine.run(at.thread, at.memory.objects()).address);
    }
}
BENCHMARK(stop_and_resume);

/// Keeping a state: a copy and its release.
void keep(benchmark::State& state) {
    AtAction at(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        ThreadState kept = at.thread;
        benchmark::DoNotOptimize(kept.top.raw());
    }
}
BENCHMARK(keep)->Arg(1)->Arg(20);

/// What a search does at each event: keep the state, go on to the next action, come back.
void keep_step_restore(benchmark::State& state) {
    AtAction at(static_cast<int>(state.range(0)));
    for (auto _ : state) {
        ThreadState next = at.thread;
        at.machine.resume(next, {.lo = 1});
        benchmark::DoNotOptimize(at.machine.run(next, at.memory.objects()).address);
    }
}
BENCHMARK(keep_step_restore)->Arg(1)->Arg(20);

/// Heddle's own part of loading a 10-line program. Aim: under 20 ms. The counter `clang_ms` is clang's part, for comparison.
void start_up(benchmark::State& state) {
    const std::string source =
        "#include <pthread.h>\n#include <stdio.h>\n"
        "static int x;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
        "static void *run(void *arg) {\n  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);\n  return arg;\n}\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); pthread_join(t, 0); printf(\"%d\\n\", x); return "
        "0; }\n";
    double clang = 0;
    for (auto _ : state) {
        clang_frontend::Timing timing;
        const Program program = compile(source, &timing);
        benchmark::DoNotOptimize(program.functions.size());
        state.SetIterationTime(timing.own);
        clang += timing.clang;
    }
    state.counters["clang_ms"] = clang * 1000 / static_cast<double>(state.iterations());
}
BENCHMARK(start_up)->UseManualTime()->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
