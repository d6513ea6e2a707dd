// Explorer: budgets, and sharing the work with others.
#include "search/dpor/explorer.hpp"

#include "search/conclude/conclude.hpp"
#include "support/check.hpp"

#include <fmt/format.h>

namespace heddle {

void Explorer::look_at_budgets() {
    if (crew_) {
        stopped_ = stopped_ || crew_->is_stopped();
        if (crew_->wants_work() || options_asked_.tuning.give_all) {
            give_away();
        }
    }
    const auto now = std::chrono::steady_clock::now();
    const Progress mine{.complete = result_.complete,
                        .blocked = result_.blocked,
                        .violations = result_.violations.size(),
                        .longest = lengths_.longest()};
    if (worker_ == 0) {
        // By processor time, so that a busy machine does not change which violation a short check finds first.
        if (crew_ && !crew_->has_begun() && processor_time() - lessons_.processor_time_before >= options_asked_.tuning.alone) {
            if (learnt_in_place_) { // those who help must have known from the beginning
                throw LessonLearnt{};
            }
            crew_->begin_once();
        }
        const auto since = now - lessons_.started;
        if (options_asked_.timeout > 0 && std::chrono::duration<double>(since).count() > options_asked_.timeout) {
            stop(Verdict::OutOfBudget, fmt::format("--timeout {} seconds", options_asked_.timeout));
        }
    }
    if (now - last_look_ < std::chrono::milliseconds(100)) {
        return;
    }
    last_look_ = now;
    if (crew_) {
        crew_->tell(worker_, mine);
    }
    if (worker_ == 0) {
        look_at_memory();
        if (options_asked_.progress && options_asked_.progress(crew_ ? crew_->total() : mine)) {
            stop(Verdict::OutOfBudget, "interrupted");
        }
    }
}

void Explorer::look_at_memory() {
    if (auto reason = out_of_memory(options_asked_)) {
        stop(Verdict::OutOfBudget, std::move(*reason));
    }
}

void Explorer::give_away() {
    if (is_repeating()) {
        return;
    }
    Job job;
    for (Frame& f : frames_) {
        if (f.next_option < f.end_option) {
            job.next = static_cast<std::uint32_t>(f.next_option - f.first_option);
            job.end = static_cast<std::uint32_t>(f.end_option - f.first_option);
            f.end_option = f.next_option;
            crew_->give(std::move(job));
            return;
        }
        job.choices.push_back(static_cast<std::uint32_t>(f.next_option - 1 - f.first_option));
    }
}

void Explorer::repeat_choice(Frame& frame) {
    const std::size_t offered = frame.end_option - frame.first_option;
    if (repeated_ < job_->choices.size()) {
        const std::uint32_t choice = job_->choices[repeated_];
        HEDDLE_CHECK(choice < offered, "a part of the search that is not there");
        frame.next_option = frame.first_option + choice;
        frame.end_option = frame.next_option + 1;
    } else {
        HEDDLE_CHECK(job_->end <= offered, "a part of the search that is not there");
        frame.end_option = frame.first_option + job_->end;
        frame.next_option = frame.first_option + job_->next;
    }
    ++repeated_;
}

} // namespace heddle
