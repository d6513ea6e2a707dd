#include "search/stateful/race_state.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::stateful {

void RaceState::join_into(Row into, std::span<const std::uint32_t> from) {
    for (std::size_t k = 0; k < into.size(); ++k) {
        into[k] = std::max(into[k], from[k]);
    }
}

void RaceState::widen(std::size_t threads) {
    if (threads <= width_) {
        return;
    }
    const auto wider = static_cast<std::uint32_t>(threads);
    const std::size_t messages = message_count();
    std::vector<std::uint32_t> clocks((std::size_t{wider} * kClocksOfThread + messages) * wider, 0);
    const std::size_t own = std::size_t{width_} * kClocksOfThread;
    for (std::size_t k = 0; k < own + messages; ++k) {
        const std::size_t to = k < own ? k : k - own + std::size_t{wider} * kClocksOfThread;
        std::ranges::copy(row(k), clocks.begin() + static_cast<std::ptrdiff_t>(to * wider));
    }
    clocks_ = std::move(clocks);
    width_ = wider;
}

// --- messages ------------------------------------------------------------------------------------------------------------------------------

RaceState::MessageId RaceState::make_message(std::size_t row_to_copy) {
    const std::size_t old = clocks_.size();
    clocks_.resize(old + width_);
    std::ranges::copy(row(row_to_copy), clocks_.begin() + static_cast<std::ptrdiff_t>(old));
    return static_cast<MessageId>(message_count());
}

RaceState::MessageId RaceState::join_messages(MessageId a, MessageId b) {
    if (a == 0 || b == 0 || a == b) {
        return std::max(a, b);
    }
    const MessageId both = make_message(std::size_t{width_} * kClocksOfThread + a - 1);
    join_into(message(both), message(b));
    return both;
}

void RaceState::read(std::uint32_t thread, Address address, unsigned size, Order order, std::uint32_t from_memory) {
    if (order == Order::NonAtomic) {
        return;
    }
    for (const Message& m : messages_) {
        const Address from = std::max(m.address, address);
        const Address to = std::min(m.address + m.size, address + size);
        if (from >= to) {
            continue;
        }
        const std::uint32_t bytes = ((1u << (to - from)) - 1) << (from - address);
        if ((bytes & from_memory) != 0) {
            join_into(clock(thread, is_acquire(order) ? kNow : kUnacquired), message(m.id));
        }
    }
}

RaceState::MessageId RaceState::message_of_write(std::uint32_t thread, Address address, unsigned size, Order order, bool update) {
    if (order == Order::NonAtomic) {
        return 0;
    }
    const Of of = is_release(order) ? kNow : kReleased;
    const bool says_nothing = std::ranges::all_of(clock(thread, of), [](std::uint32_t n) { return n == 0; });
    MessageId id = says_nothing ? 0 : make_message(std::size_t{thread} * kClocksOfThread + of);
    for (std::size_t k = 0; update && k < messages_.size(); ++k) {
        const Message m = messages_[k];
        if (m.address < address + size && address < m.address + m.size) {
            id = join_messages(id, m.id);
        }
    }
    return id;
}

void RaceState::lands(Address address, unsigned size, MessageId id) {
    const Address end = address + size;
    const std::size_t count = messages_.size();
    for (std::size_t k = 0; k < count; ++k) { // what sticks out of the bytes that are overwritten stays
        const Message m = messages_[k];
        const Address m_end = m.address + m.size;
        if (m.address >= end || address >= m_end) {
            continue;
        }
        messages_[k].size = m.address < address ? static_cast<std::uint8_t>(address - m.address) : 0;
        if (end < m_end) {
            messages_.push_back({.address = end, .size = static_cast<std::uint8_t>(m_end - end), .id = m.id});
        }
    }
    std::erase_if(messages_, [](const Message& m) { return m.size == 0; });
    if (id != 0) {
        messages_.push_back({.address = address, .size = static_cast<std::uint8_t>(size), .id = id});
    }
}

// --- what happens --------------------------------------------------------------------------------------------------------------------------

void RaceState::access(RaceRecord access, bool by_place, FunctionRef<void(const RaceRecord&)> races) {
    const Row now = clock(access.thread, kNow);
    for (const RaceRecord& r : records_) {
        if (r.conflicts(access) && now[r.thread] < r.number) {
            races(r);
        }
    }
    access.number = ++now[access.thread];
    std::erase_if(records_, [&](const RaceRecord& r) { return access.replaces(r, by_place); });
    records_.push_back(access);
}

void RaceState::fence(std::uint32_t thread, Order order) {
    if (is_acquire(order)) {
        join_into(clock(thread, kNow), clock(thread, kUnacquired));
        std::ranges::fill(clock(thread, kUnacquired), 0);
    }
    if (is_release(order)) {
        std::ranges::copy(clock(thread, kNow), clock(thread, kReleased).begin());
    }
}

void RaceState::spawn(std::uint32_t thread, std::uint32_t child) {
    std::ranges::copy(clock(thread, kNow), clock(child, kNow).begin());
}

void RaceState::join(std::uint32_t thread, std::uint32_t ended) { join_into(clock(thread, kNow), clock(ended, kNow)); }

void RaceState::begin_section(std::uint32_t thread) {
    if (section_ != 0) {
        join_into(clock(thread, kNow), message(section_));
    }
}

void RaceState::end_section(std::uint32_t thread) { section_ = make_message(std::size_t{thread} * kClocksOfThread + kNow); }

void RaceState::forget(Address from, std::uint64_t bytes) {
    std::erase_if(records_, [&](const RaceRecord& r) { return r.overlaps(from, bytes); });
    std::erase_if(messages_, [&](const Message& m) { return m.address < from + bytes && from < m.address + m.size; });
}

void RaceState::rename(FunctionRef<std::optional<Address>(Address)> renamed) {
    const auto apply = [&](auto& all) {
        std::erase_if(all, [&](auto& one) {
            const std::optional<Address> address = renamed(one.address);
            one.address = address.value_or(0);
            return !address;
        });
    };
    apply(records_);
    apply(messages_);
}

// --- the form in which it is kept ----------------------------------------------------------------------------------------------------------

void RaceState::settle(std::span<const Life> lives, PendingStores& pending, bool by_place,
                       FunctionRef<bool(std::uint32_t, const RaceRecord&)> minds) {
    drop_records(lives, minds);
    for (std::uint32_t t = 0; t < width_; ++t) {
        if (lives[t] != Life::Runs) {
            std::ranges::fill(clock(t, kReleased), 0);
            std::ranges::fill(clock(t, kUnacquired), 0);
        }
        if (lives[t] == Life::Gone) {
            std::ranges::fill(clock(t, kNow), 0);
        }
    }
    // First, so that what nobody can learn any more does not tell records apart; and again, since then some have become equal.
    forget_what_is_known();
    number_messages(pending);
    number_records();
    forget_what_is_known();
    number_messages(pending);
    std::ranges::sort(records_, {}, [&](const RaceRecord& r) {
        return std::tuple(r.address, r.size, r.thread, r.writes, r.atomic, by_place ? r.place.index : 0);
    });
}

/// What is known need not be learnt by a fence.
void RaceState::forget_what_is_known() {
    for (std::uint32_t t = 0; t < width_; ++t) {
        for (std::uint32_t u = 0; u < width_; ++u) {
            std::uint32_t& number = clock(t, kUnacquired)[u];
            number = number <= clock(t, kNow)[u] ? 0 : number;
        }
    }
}

void RaceState::drop_records(std::span<const Life> lives, FunctionRef<bool(std::uint32_t, const RaceRecord&)> minds) {
    std::erase_if(records_, [&](const RaceRecord& r) {
        for (std::uint32_t u = 0; u < width_; ++u) {
            if (lives[u] == Life::Runs && u != r.thread && clock(u, kNow)[r.thread] < r.number && minds(u, r)) {
                return false;
            }
        }
        return true;
    });
}

void RaceState::number_records() {
    std::vector<std::uint32_t> numbers; // of the thread's records, ascending
    std::vector<std::uint32_t> firsts;  // of each class of them that the same clocks know of, the least
    const std::size_t rows = width_ == 0 ? 0 : clocks_.size() / width_;
    for (std::uint32_t t = 0; t < width_; ++t) {
        numbers.clear();
        firsts.clear();
        for (const RaceRecord& r : records_) {
            if (r.thread == t) {
                numbers.push_back(r.number);
            }
        }
        std::ranges::sort(numbers);
        for (std::size_t k = 0; k < numbers.size(); ++k) {
            bool told_apart = k == 0;
            for (std::size_t c = 0; !told_apart && numbers[k] != numbers[k - 1] && c < rows; ++c) {
                told_apart = row(c)[t] >= numbers[k - 1] && row(c)[t] < numbers[k];
            }
            if (told_apart) {
                firsts.push_back(numbers[k]);
            }
        }
        const auto known = [&](std::uint32_t number) {
            return static_cast<std::uint32_t>(std::ranges::upper_bound(firsts, number) - firsts.begin());
        };
        for (std::size_t c = 0; c < rows; ++c) {
            row(c)[t] = known(row(c)[t]);
        }
        for (RaceRecord& r : records_) {
            r.number = r.thread == t ? known(r.number) : r.number;
        }
    }
}

bool RaceState::is_empty(MessageId id) const {
    const std::size_t from = (std::size_t{width_} * kClocksOfThread + id - 1) * width_;
    return std::all_of(clocks_.begin() + static_cast<std::ptrdiff_t>(from),
                       clocks_.begin() + static_cast<std::ptrdiff_t>(from + width_), [](std::uint32_t n) { return n == 0; });
}

/// In the order in which they are mentioned: by what is pending, by memory, by atomic sections. Equal ones get the same number, empty ones none.
void RaceState::number_messages(PendingStores& pending) {
    const std::size_t own = std::size_t{width_} * kClocksOfThread * width_;
    std::vector<std::uint32_t> kept;
    const auto keep = [&](MessageId id) -> MessageId {
        if (id == 0 || is_empty(id)) {
            return 0;
        }
        const Row clock = message(id);
        for (std::size_t k = 0; k < kept.size(); k += width_) {
            if (std::equal(clock.begin(), clock.end(), kept.begin() + static_cast<std::ptrdiff_t>(k))) {
                return static_cast<MessageId>(k / width_ + 1);
            }
        }
        kept.insert(kept.end(), clock.begin(), clock.end());
        return static_cast<MessageId>(kept.size() / width_);
    };
    for (PendingStore& s : pending.all_to_change()) {
        s.message = keep(s.message);
    }
    std::ranges::sort(messages_, {}, &Message::address);
    for (Message& m : messages_) {
        m.id = keep(m.id);
    }
    std::erase_if(messages_, [](const Message& m) { return m.id == 0; });
    section_ = keep(section_);
    clocks_.resize(own);
    clocks_.insert(clocks_.end(), kept.begin(), kept.end());
}

namespace {
constexpr std::uint64_t kWrites = 0x100, kAtomic = 0x200;
constexpr unsigned kNumberAt = 32, kThreadAt = 16, kPlaceAt = 32;
} // namespace

void RaceState::encode(std::vector<std::uint64_t>& into, bool by_place) const {
    into.push_back(std::uint64_t{width_} << 32 | section_);
    into.push_back(std::uint64_t{static_cast<std::uint32_t>(records_.size())} << 32 | messages_.size());
    for (const RaceRecord& r : records_) {
        into.push_back(r.address);
        into.push_back(std::uint64_t{r.number} << kNumberAt | std::uint64_t{r.thread} << kThreadAt | r.size |
                       (r.writes ? kWrites : 0) | (r.atomic ? kAtomic : 0));
        into.push_back(by_place ? r.place.index : 0);
    }
    for (const Message& m : messages_) {
        into.push_back(m.address);
        into.push_back(std::uint64_t{m.id} << kPlaceAt | m.size);
    }
    for (std::size_t k = 0; k < clocks_.size(); k += 2) { // small numbers, two a word
        into.push_back(std::uint64_t{clocks_[k]} << 32 | (k + 1 < clocks_.size() ? clocks_[k + 1] : 0));
    }
    into.push_back(clocks_.size());
}

void RaceState::decode(std::span<const std::uint64_t> words) {
    width_ = static_cast<std::uint32_t>(words[0] >> 32);
    section_ = static_cast<MessageId>(words[0]);
    records_.resize(words[1] >> 32);
    messages_.resize(static_cast<std::uint32_t>(words[1]));
    std::size_t at = 2;
    for (RaceRecord& r : records_) {
        r.address = words[at++];
        const std::uint64_t numbers = words[at++];
        r.number = static_cast<std::uint32_t>(numbers >> kNumberAt);
        r.thread = static_cast<std::uint32_t>(numbers >> kThreadAt) & 0xffff;
        r.size = static_cast<std::uint8_t>(numbers);
        r.writes = (numbers & kWrites) != 0;
        r.atomic = (numbers & kAtomic) != 0;
        r.place = PlaceId(static_cast<std::uint32_t>(words[at++]));
    }
    for (Message& m : messages_) {
        m.address = words[at++];
        m.size = static_cast<std::uint8_t>(words[at]);
        m.id = static_cast<MessageId>(words[at++] >> kPlaceAt);
    }
    clocks_.resize(words.back());
    for (std::size_t k = 0; k < clocks_.size(); ++k) {
        const std::uint64_t word = words[at + k / 2];
        clocks_[k] = static_cast<std::uint32_t>(k % 2 == 0 ? word >> 32 : word);
    }
}

} // namespace heddle::stateful
