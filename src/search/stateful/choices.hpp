// Choices: who goes on at once, remembered. Of one worker.
//
// After each action the Stepper asks of one thread after the other whether what it is about to do belongs to the same step (Stepper::ask). The answer is mostly the same for thousands of worlds, since it
// follows from little: the *situation*, which is what each thread stands at (its *sort*: its phase, its action but for the values in it, and what Independence knows of its future) and the shape of what is pending;
// who moved last; and whether that was the first action, or the head of a loop was passed. So it is looked up by these. And the situation after an action is looked up by the one before and what has changed.
//
// Exact because situations are compared word by word, and because whoever answers by anything else (what memory holds: is the lock free, who can reach the object) says so: such an answer is not remembered.
#pragma once

#include "search/stateful/threads.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace heddle::stateful {

class Choices {
  public:
    using Situation = std::uint32_t;
    static constexpr Situation kNoSituation = ~Situation{0};
    static constexpr std::size_t kMostThreads = 30;

    using Answer = std::uint8_t; ///< a thread, or one of these
    static constexpr Answer kNobody = 0xff;
    static constexpr Answer kNotKnown = 0xfe;
    static_assert(kMostThreads < kNotKnown);

    /// The number of what such a thread stands at; never 0. `known`: what is known of its future.
    std::uint32_t sort_of(const Standing& standing, std::uint32_t known);

    /// What makes a situation: the shape, then the sorts of two threads at a time (the last may be 0).
    class Makings {
      public:
        explicit Makings(std::uint32_t shape) { add_word(shape); }
        void add(std::uint32_t sort, std::uint32_t next) { add_word(std::uint64_t{next} << 32 | sort); }

      private:
        friend class Choices;
        void add_word(std::uint64_t word) {
            words_[count_++] = word;
            hash_ = (hash_ ^ word) * 0xc4ceb9fe1a85ec53u;
            hash_ ^= hash_ >> 29;
        }
        std::array<std::uint64_t, 1 + kMostThreads / 2> words_;
        std::size_t count_ = 0;
        std::uint64_t hash_ = 0x9e3779b97f4a7c15u;
    };
    /// Its number. Numbers are good until `trim` or `forget`.
    Situation find(const Makings& makings);

    /// What an action has changed: who did it, what that thread stands at then, the shape then, and who was joined by it (kNobody: nothing was). In two words, with the situation before.
    class Change {
      public:
        Change() = default;
        Change(Situation before, std::uint32_t thread, std::uint32_t joined, std::uint32_t sort, std::uint32_t shape)
            : before_and_sort_(std::uint64_t{before} << 32 | sort),
              others_(std::uint64_t{shape} << 16 | std::uint64_t{thread & 0xff} << 8 | (joined & 0xff)) {}
        friend bool operator==(const Change&, const Change&) = default;

      private:
        friend class Choices;
        std::uint64_t before_and_sort_ = ~std::uint64_t{0}; ///< of none, its upper half is kNoSituation
        std::uint64_t others_ = 0;
    };
    static_assert(kMostThreads <= 0xff && kNobody == 0xff);
    /// Nothing else has changed since the situation before. kNoSituation: not known.
    [[nodiscard]] Situation after(const Change& change) const {
        if (changes_.empty()) {
            return kNoSituation;
        }
        const Known& k = changes_[slot(change)];
        return k.change == change ? k.after : kNoSituation;
    }
    void learn_change(const Change& change, Situation after);

    /// `first`: only one action of the step was done yet; `looped`: the head of a loop was passed.
    [[nodiscard]] Answer answer(Situation s, std::uint32_t mover, bool first, bool looped) const {
        return answers_[situations_[s].answers + index(mover, first, looped)];
    }
    void learn(Situation s, std::uint32_t mover, bool first, bool looped, Answer answer) {
        answers_[situations_[s].answers + index(mover, first, looped)] = answer;
    }

    /// Forgets the situations if there are more.
    void trim(std::size_t many);
    /// Sorts become invalid.
    void forget();

  private:
    static constexpr std::uint32_t kAnswersOfOne = 4; ///< with one mover
    [[nodiscard]] static std::uint32_t index(std::uint32_t mover, bool first, bool looped) {
        return kAnswersOfOne * mover + (first ? 2u : 0u) + (looped ? 1u : 0u);
    }
    struct Made {
        std::uint64_t hash;
        std::uint32_t first, count; ///< of words_
        std::uint32_t answers;      ///< the first of answers_
    };
    struct Known {
        Change change{};
        Situation after = kNoSituation;
    };
    using Sort = std::array<std::uint64_t, 4>;

    [[nodiscard]] std::size_t slot(const Change& c) const {
        const std::uint64_t h = (c.before_and_sort_ * 0x9e3779b97f4a7c15u ^ c.others_) * 0xc4ceb9fe1a85ec53u;
        return (h >> 32 ^ h >> 15) & (changes_.size() - 1);
    }
    [[nodiscard]] bool is_it(const Made& made, const Makings& makings) const;
    Situation insert(const Makings& makings);

    std::map<Sort, std::uint32_t> sorts_;
    // Open addressing, half full at most.
    std::vector<std::uint32_t> slots_; ///< 1 + a situation; 0: free
    std::vector<Made> situations_;
    std::vector<std::uint64_t> words_; ///< of all situations
    std::vector<Answer> answers_;
    std::vector<Known> changes_; ///< one for each place: the newest stays
    std::size_t learnt_ = 0;     ///< since there are so many places
};

} // namespace heddle::stateful
