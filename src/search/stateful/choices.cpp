#include "search/stateful/choices.hpp"

#include <algorithm>

namespace heddle::stateful {

std::uint32_t Choices::sort_of(const Standing& s, std::uint32_t known) {
    const auto number = [](auto value) { return static_cast<std::uint64_t>(value); };
    Sort sort{number(s.phase), number(known), 0, 0};
    if (s.phase == ThreadPhase::Running) {
        const Action& a = s.action;
        sort[0] |=
            number(a.kind) << 8 | number(a.wait) << 16 | number(a.order) << 24 | number(a.fence) << 32 | number(a.size) << 40;
        sort[2] = a.address;
        sort[3] = a.kind == ActionKind::Join ? a.value.lo : 0;
    }
    return sorts_.try_emplace(sort, static_cast<std::uint32_t>(sorts_.size() + 1)).first->second;
}

bool Choices::is_it(const Made& made, const Makings& makings) const {
    return made.hash == makings.hash_ && made.count == makings.count_ &&
           std::equal(makings.words_.data(), makings.words_.data() + makings.count_, words_.data() + made.first);
}

Choices::Situation Choices::find(const Makings& makings) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t at = makings.hash_ & mask; !slots_.empty() && slots_[at] != 0; at = (at + 1) & mask) {
        if (is_it(situations_[slots_[at] - 1], makings)) {
            return slots_[at] - 1;
        }
    }
    return insert(makings);
}

Choices::Situation Choices::insert(const Makings& makings) {
    constexpr std::size_t kFirst = 64;
    const auto put = [&](std::size_t k) {
        std::size_t at = situations_[k].hash & (slots_.size() - 1);
        while (slots_[at] != 0) {
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = static_cast<std::uint32_t>(k + 1);
    };
    if ((situations_.size() + 1) * 2 > slots_.size()) {
        slots_.assign(std::max(kFirst, slots_.size() * 2), 0);
        for (std::size_t k = 0; k < situations_.size(); ++k) {
            put(k);
        }
    }
    const std::size_t threads = 2 * (makings.count_ - 1); // or one less
    situations_.push_back({.hash = makings.hash_,
                           .first = static_cast<std::uint32_t>(words_.size()),
                           .count = static_cast<std::uint32_t>(makings.count_),
                           .answers = static_cast<std::uint32_t>(answers_.size())});
    words_.insert(words_.end(), makings.words_.data(), makings.words_.data() + makings.count_);
    answers_.resize(answers_.size() + kAnswersOfOne * threads, kNotKnown);
    put(situations_.size() - 1);
    return static_cast<Situation>(situations_.size() - 1);
}

void Choices::learn_change(const Change& change, Situation after) {
    constexpr std::size_t kFirst = 64, kMost = 1u << 14; // a small check stays small, a large one does not go far for it
    if (learnt_ == changes_.size() && changes_.size() < kMost) {
        std::vector<Known> old(std::max(kFirst, changes_.size() * 2));
        changes_.swap(old);
        for (const Known& k : old) {
            if (k.change != Change{}) {
                changes_[slot(k.change)] = k;
            }
        }
        learnt_ = 0;
    }
    ++learnt_;
    changes_[slot(change)] = {.change = change, .after = after};
}

void Choices::trim(std::size_t many) {
    if (situations_.size() > many) {
        slots_.clear();
        situations_.clear();
        words_.clear();
        answers_.clear();
        changes_.clear();
        learnt_ = 0;
    }
}

void Choices::forget() {
    trim(0);
    sorts_.clear();
}

} // namespace heddle::stateful
