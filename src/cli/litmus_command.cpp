#include "cli/litmus_command.hpp"

#include "cli/exit_code.hpp"
#include "cli/input.hpp"
#include "cli/interrupt.hpp"
#include "cli/validators.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <thread>

namespace heddle::cli {
namespace {

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdout) {
            std::fclose(file);
        }
    }
};

} // namespace

LitmusCommand::LitmusCommand(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("litmus", "run litmus tests; the output has herd's format");
    command->footer(
        "Exit codes: 0 all tests were answered (and agree with --expect), 1 some differ from --expect, 2 some cannot be read, "
        "4 some were stopped by --timeout, 5 some need what is not modelled.");
    command->add_option("inputs", inputs_, "litmus tests, or folders with .litmus files in them or below")->required();
    command->add_option(
        "--model", options_.model,
        "the memory model: a name (`heddle models`) or a path to a .cat file; default: that of each test's architecture");
    command->add_option("-j,--jobs", jobs_, "workers (default: one a core)")->check(workers());
    command->add_option("--unroll", options_.unroll, "how often a loop goes round before its execution is left out")
        ->capture_default_str()
        ->check(positive());
    command->add_option("--timeout", options_.timeout, "stop a test after so many seconds")->check(positive());
    command->add_option("--expect", expect_, "compare with the results recorded in this file, one JSON object a line");
    command->add_option("--json", json_,
                        "write the results to this file as such records; - is stdout, and then nothing else goes there");
    command->add_flag("-q,--quiet", quiet_, "the differences and the last line only");
    command->callback([this, &status] { status = execute(); });
}

std::optional<std::vector<std::string>> LitmusCommand::find_files() const {
    namespace fs = std::filesystem;
    std::vector<std::string> files;
    for (const std::string& input : inputs_) {
        if (!fs::is_directory(input)) {
            if (!fs::exists(input)) {
                say(fmt::format("there is no file or folder {}\n", input));
                return std::nullopt;
            }
            files.push_back(input);
            continue;
        }
        std::vector<std::string> found;
        for (const auto& entry : fs::recursive_directory_iterator(input)) {
            if (entry.is_regular_file() && entry.path().extension() == ".litmus") {
                found.push_back(entry.path());
            }
        }
        std::ranges::sort(found);
        files.insert(files.end(), found.begin(), found.end());
    }
    if (files.empty()) {
        say("no .litmus file there\n");
        return std::nullopt;
    }
    return files;
}

void LitmusCommand::run_all(const std::vector<std::string>& files, const std::function<void(const LitmusResult&)>& report) const {
    CatModels models(resources() / "models");
    std::vector<std::unique_ptr<LitmusResult>> results(files.size());
    std::atomic<std::size_t> next = 0;
    std::mutex mutex; // of results and failure
    std::condition_variable finished;
    std::exception_ptr failure;
    const auto work = [&] {
        try {
            LitmusRunner runner(models, options_);
            for (std::size_t k = next++; k < files.size(); k = next++) {
                auto result = std::make_unique<LitmusResult>();
                if (options_.interrupted()) {
                    result->ending = LitmusResult::Ending::NotRun;
                } else {
                    *result = runner.run(files[k]);
                }
                const std::scoped_lock guard(mutex);
                results[k] = std::move(result);
                finished.notify_one();
            }
        } catch (...) {
            const std::scoped_lock guard(mutex);
            failure = std::current_exception();
            finished.notify_one();
        }
    };
    const std::size_t wanted = jobs_ != 0 ? jobs_ : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> workers;
    for (std::size_t w = 0; w < std::min(wanted, files.size()); ++w) {
        workers.emplace_back(work);
    }
    for (std::size_t k = 0; k < files.size(); ++k) {
        std::unique_lock lock(mutex);
        finished.wait(lock, [&] { return results[k] || failure; });
        if (failure) {
            next = files.size();
            lock.unlock();
            workers.clear();
            std::rethrow_exception(failure);
        }
        const std::unique_ptr<LitmusResult> result = std::move(results[k]);
        lock.unlock();
        report(*result);
    }
}

void LitmusCommand::report(const LitmusResult& result, const LitmusRecords* records, std::FILE* json, Tally& tally) const {
    using Ending = LitmusResult::Ending;
    if (result.ending == Ending::NotRun) {
        ++tally.not_run;
        return;
    }
    ++tally.tests;
    if (result.ending != Ending::Answered) {
        tally.rejected += result.ending == Ending::Rejected ? 1 : 0;
        tally.unsupported += result.ending == Ending::Unsupported ? 1 : 0;
        tally.out_of_budget += result.ending == Ending::OutOfBudget ? 1 : 0;
        say(result.message + "\n");
        return;
    }
    const LitmusOutcome& outcome = result.outcome;
    const std::string_view verdict = verdict_of(outcome);
    ++(verdict == "Ok" ? tally.ok : verdict == "No" ? tally.no : tally.undefined);
    tally.executions += outcome.executions();
    if (!quiet_ && json != stdout) {
        std::fputs(to_herd(outcome).c_str(), stdout);
    }
    if (json) {
        // Records name files relative to their own folder, so that --expect finds them wherever it is run.
        const std::filesystem::path folder = json_ == "-" ? "." : std::filesystem::absolute(json_).parent_path();
        std::fputs(to_record(outcome, std::filesystem::proximate(result.file, folder)).c_str(), json);
    }
    if (records) {
        if (const auto differences = records->differences(result.file, outcome)) {
            ++tally.compared;
            tally.agree += differences->empty() ? 1 : 0;
            std::fputs(differences->c_str(), json == stdout ? stderr : stdout);
        } else {
            say(fmt::format("{} is not in {}\n", result.file, expect_));
        }
    }
}

int LitmusCommand::conclude(const Tally& t, double seconds) const {
    std::FILE* const to = json_ == "-" ? stderr : stdout;
    if (!expect_.empty()) {
        std::fputs(fmt::format("{} of {} agree\n", t.agree, t.tests).c_str(), to);
    }
    std::fputs(
        fmt::format("{} test{}: {} Ok, {} No, {} Undef, {} not read, {} unsupported, {} stopped; {} execution{} in {:.1f} s\n",
                    t.tests, t.tests == 1 ? "" : "s", t.ok, t.no, t.undefined, t.rejected, t.unsupported, t.out_of_budget,
                    t.executions, t.executions == 1 ? "" : "s", seconds)
            .c_str(),
        to);
    std::fflush(stdout);
    if (t.not_run > 0) {
        say(fmt::format("interrupted: {} tests were not run\n", t.not_run));
    }
    if (t.agree < t.compared) {
        return kExitViolation;
    }
    return t.rejected > 0                    ? kExitBadUsage
           : t.unsupported > 0               ? kExitUnsupported
           : t.out_of_budget + t.not_run > 0 ? kExitOutOfBudget
                                             : kExitSafe;
}

int LitmusCommand::execute() {
    const auto start = std::chrono::steady_clock::now();
    std::optional<LitmusRecords> records;
    if (!expect_.empty()) {
        auto loaded = LitmusRecords::load(expect_);
        if (!loaded) {
            return explain(loaded.error());
        }
        records = std::move(*loaded);
    }
    if (!options_.model.empty()) { // a name that does not exist is bad usage, not a test that fails
        CatModels models(resources() / "models");
        if (const auto model = models.find(options_.model); !model) {
            return explain(model.error());
        }
    }
    const std::unique_ptr<std::FILE, CloseFile> json(json_.empty()  ? nullptr
                                                     : json_ == "-" ? stdout
                                                                    : std::fopen(json_.c_str(), "w"));
    if (!json_.empty() && !json) {
        say(fmt::format("{} cannot be written: {}\n", json_, std::strerror(errno)));
        return kExitBadUsage;
    }
    const auto files = find_files();
    if (!files) {
        return kExitBadUsage;
    }
    const Interrupt interrupt;
    options_.interrupted = [] { return Interrupt::requested(); };
    Tally tally;
    run_all(*files, [&](const LitmusResult& result) { report(result, records ? &*records : nullptr, json.get(), tally); });
    return conclude(tally, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

} // namespace heddle::cli
