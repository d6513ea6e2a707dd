#include "search/stateful/pending_stores.hpp"

#include "support/check.hpp"

#include <algorithm>

namespace heddle::stateful {

// A shape is first how many stores there are, and which of the first threads have some that are not flushed. A store is its address, some numbers in one word, and its message if it has one.
namespace {
constexpr std::uint64_t kFlushed = 0x100, kFenced = 0x200, kMessage = 0x400;
constexpr unsigned kFormAt = 12, kThreadAt = 16, kPlaceAt = 32;
static_assert(kMaxThreads <= 1u << (kPlaceAt - kThreadAt) && kFormAt + ValueForm::kBits <= kThreadAt);
} // namespace

bool PendingStores::has(std::uint32_t thread) const {
    return std::ranges::any_of(stores(), [&](const PendingStore& s) { return s.thread == thread; });
}

bool PendingStores::has_unflushed(std::uint32_t thread) const {
    if (!is_there_ && thread < kFirstThreads) {
        return (shape_[0] >> (kUnflushedAt + thread) & 1) != 0;
    }
    return std::ranges::any_of(stores(), [&](const PendingStore& s) { return s.thread == thread && !s.flushed; });
}

bool PendingStores::has_of_others(std::uint32_t thread, Address from, std::uint64_t bytes) const {
    const auto is_one = [&](std::uint32_t other, Address address, std::uint64_t size) {
        return other != thread && address < from + bytes && from < address + size;
    };
    if (is_there_) {
        return std::ranges::any_of(stores_, [&](const PendingStore& s) { return is_one(s.thread, s.address, s.size); });
    }
    const std::size_t n = shape_[0] & kCount;
    for (std::size_t k = 0, at = 1; k < n; ++k) {
        const std::uint64_t numbers = shape_[at + 1];
        if (is_one(static_cast<std::uint32_t>(numbers >> kThreadAt) & 0xffff, shape_[at], numbers & 0xff)) {
            return true;
        }
        at += (numbers & kMessage) != 0 ? 3 : 2;
    }
    return false;
}

void PendingStores::push(const PendingStore& store, Buffer buffer, bool after_all) {
    change();
    const auto at = std::ranges::upper_bound(stores_, store.thread, {}, &PendingStore::thread);
    const auto position = static_cast<std::size_t>(at - stores_.begin());
    stores_.insert(at, store);
    order_.insert(position);
    order_.put_after(position, [&](std::size_t k) {
        const PendingStore& s = stores_[k];
        return s.flushed ||
               (s.thread == store.thread && (buffer == Buffer::PerThread || after_all || s.fenced || s.overlaps(store)));
    });
}

void PendingStores::fence_stores(std::uint32_t thread) {
    change();
    for (PendingStore& s : stores_) {
        s.fenced = s.fenced || s.thread == thread;
    }
}

void PendingStores::flush_thread(std::uint32_t thread) {
    stores();
    for (std::size_t k = 0; k < stores_.size(); ++k) {
        if (stores_[k].thread == thread && !stores_[k].flushed) {
            flush(k);
        }
    }
}

void PendingStores::flush(std::size_t store) {
    change();
    stores_[store].flushed = true;
    for (std::size_t k = 0; k < stores_.size(); ++k) {
        stores_[k].flushed = stores_[k].flushed || is_before(k, store);
    }
}

void PendingStores::keep(std::size_t store) {
    change();
    order_.put_after(store, [&](std::size_t k) { return stores_[k].flushed; });
}

void PendingStores::take_out(std::size_t store) {
    change();
    order_.remove(store);
    stores_.erase(stores_.begin() + static_cast<std::ptrdiff_t>(store));
}

void PendingStores::take_out(Address from, std::uint64_t bytes) {
    stores();
    for (std::size_t k = stores_.size(); k-- > 0;) {
        if (stores_[k].overlaps(from, bytes)) {
            take_out(k);
        }
    }
}

PendingStores::Set PendingStores::contenders(Address from, std::uint64_t bytes) const {
    Set found;
    stores();
    const auto add = [&](Address a, std::uint64_t size) {
        for (std::size_t k = 0; k < stores_.size(); ++k) {
            if (stores_[k].overlaps(a, size) && !found.contains(k)) {
                found.push_back(k);
            }
        }
    };
    add(from, bytes);
    for (std::size_t k = 0; k < found.size(); ++k) { // finds more only when accesses of different sizes overlap
        add(stores_[found[k]].address, stores_[found[k]].size);
    }
    std::ranges::sort(found);
    return found;
}

bool PendingStores::is_minimal(std::size_t store, const Set& among) const {
    return std::ranges::none_of(among, [&](std::size_t k) { return is_before(k, store); });
}

bool PendingStores::can_settle(std::size_t store, bool& visible) const {
    const PendingStore& s = stores_[store];
    bool uncontended = true;
    for (std::size_t k = 0; k < stores_.size(); ++k) {
        if (k == store || !stores_[k].overlaps(s)) {
            continue;
        }
        if (stores_[k].flushed && is_before(store, k) && stores_[k].covers(s.address, s.size)) {
            visible = false; // overwritten before anybody looks
            return true;
        }
        uncontended = uncontended && is_before(store, k);
    }
    visible = true;
    return uncontended;
}

void PendingStores::settle(FunctionRef<void(const PendingStore&, bool)> written) {
    stores();
    for (std::size_t k = 0; k < stores_.size();) {
        bool visible = false;
        if (stores_[k].flushed && can_settle(k, visible)) {
            const PendingStore store = stores_[k];
            take_out(k);
            written(store, visible);
            k = 0;
        } else {
            ++k;
        }
    }
}

void PendingStores::encode_shape(std::vector<std::uint64_t>& into) const {
    constexpr std::size_t kMostWords = 3; // of a store
    stores();
    const std::size_t before = into.size();
    into.resize(before + 1 + kMostWords * stores_.size());
    std::uint64_t* to = into.data() + before;
    std::uint64_t& head = *to++;
    head = stores_.size();
    HEDDLE_CHECK(head < std::uint64_t{1} << kUnflushedAt, "more pending stores than can be counted");
    for (const PendingStore& s : stores_) {
        head |= !s.flushed && s.thread < kFirstThreads ? std::uint64_t{1} << (kUnflushedAt + s.thread) : 0;
        *to++ = s.address;
        *to++ = std::uint64_t{s.place.index} << kPlaceAt | std::uint64_t{s.thread} << kThreadAt | s.size |
                (s.flushed ? kFlushed : 0) | (s.fenced ? kFenced : 0) | (s.message != 0 ? kMessage : 0) |
                std::uint64_t{ValueForm(s.value).bits()} << kFormAt;
        if (s.message != 0) {
            *to++ = s.message;
        }
    }
    into.resize(static_cast<std::size_t>(to - into.data()));
    order_.encode(into);
}

void PendingStores::encode_values(std::vector<std::uint32_t>& into) const {
    for (const PendingStore& s : stores()) {
        const ValueForm form(s.value);
        into.resize(into.size() + form.words());
        form.put(s.value, into.data() + into.size() - form.words());
    }
}

void PendingStores::decode() const {
    is_there_ = true;
    const std::size_t n = shape_[0] & kCount;
    std::size_t at = 1;
    const std::uint32_t* value = values_.data();
    stores_.clear();
    for (std::size_t k = 0; k < n; ++k) {
        PendingStore& s = stores_.emplace_back();
        s.address = shape_[at++];
        const std::uint64_t numbers = shape_[at++];
        s.place = PlaceId(static_cast<std::uint32_t>(numbers >> kPlaceAt));
        s.thread = static_cast<std::uint32_t>(numbers >> kThreadAt) & 0xffff;
        s.size = static_cast<std::uint8_t>(numbers);
        s.flushed = (numbers & kFlushed) != 0;
        s.fenced = (numbers & kFenced) != 0;
        s.message = (numbers & kMessage) != 0 ? static_cast<std::uint32_t>(shape_[at++]) : 0;
        const ValueForm form(static_cast<unsigned>(numbers >> kFormAt) & ((1u << ValueForm::kBits) - 1));
        s.value = form.take(value);
        value += form.words();
    }
    order_.decode(n, shape_.subspan(at));
}

} // namespace heddle::stateful
