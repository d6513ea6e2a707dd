#include "search/stateful/renumber.hpp"

#include <algorithm>
#include <optional>

namespace heddle::stateful {
namespace {

/// The regions of an object: see span_of (program/address.hpp), which an object's base tells the offset of.
std::pair<Address, std::uint64_t> regions_of(const Object& o) {
    const Address offset = o.base % kRegionSize == kGuard ? kGuard : kRegionSize;
    return {o.base - offset, (end_of_regions(o) - (o.base - offset)) / kRegionSize};
}

} // namespace

const std::vector<Address>& Renumbering::pointers_in(PartId contents) {
    const auto [it, fresh] = pointers_.try_emplace(contents);
    if (fresh) {
        contents_.each_word(contents, [&](std::uint64_t word) {
            if (looks_like_made(word)) {
                it->second.push_back(word);
            }
        });
    }
    return it->second;
}

void Renumbering::mention(const ObjectTable& table, std::uint64_t word) {
    if (!looks_like_made(word)) {
        return;
    }
    const Address a = without_tag(word);
    const bool packed = a != word;
    if (const Object* o = table.objects.find(a)) {
        // A word with something in its upper bits is a pointer only if it points right into an object: it may as well be any number.
        if (!packed || (a >= o->base && a <= o->base + o->size)) {
            const std::size_t k = o->handle - program_.first_constant_global;
            if (reached_[k] == 0) {
                reached_[k] = 1;
                pending_.push_back(k);
            }
        }
    } else if (!packed) {
        dangling_.push_back({.first = a & ~(kRegionSize - 1), .count = 1});
    }
}

void Renumbering::reach_all(const World& w) {
    const ObjectTable& table = tables_[w.objects];
    reached_.assign(table.made.size(), 0);
    pending_.clear();
    dangling_.clear();
    for (std::size_t k = 0; k < table.made.size(); ++k) {
        if (table.made[k].alive && table.made[k].kind != ObjectKind::Heap) {
            reached_[k] = 1;
            pending_.push_back(k);
        }
    }
    reach_shared(w, table);
    // When all have ended nobody joins anybody any more.
    const bool some_run =
        std::ranges::any_of(w.threads, [&](PartId t) { return threads_.at(t, w.objects).phase == ThreadPhase::Running; });
    for (std::size_t t = 0; some_run && t < w.threads.size(); ++t) {
        for (const Address p : threads_.at(w.threads[t], w.objects).pointers) {
            mention(table, p);
        }
    }
    follow(w, table);
}

void Renumbering::reach_shared(const World& w, const ObjectTable& table) {
    for (std::size_t g = 0; g < program_.first_constant_global; ++g) {
        for (const Address p : pointers_in(w.contents[g])) {
            mention(table, p);
        }
    }
    for (const PendingStore& s : w.pending.all()) {
        mention(table, s.address);
        mention(table, s.value.lo);
        mention(table, s.value.hi);
    }
}

void Renumbering::follow(const World& w, const ObjectTable& table) {
    while (!pending_.empty()) {
        const std::size_t k = pending_.back();
        pending_.pop_back();
        if (table.made[k].alive) {
            for (const Address p : pointers_in(w.contents[program_.first_constant_global + k])) {
                mention(table, p);
            }
        }
    }
}

bool Renumbering::is_private(const World& w, std::uint32_t thread, Address address) {
    const AddressKind kind = kind_of(address);
    if (kind != AddressKind::Heap && kind != AddressKind::Stack) {
        return false;
    }
    const ObjectTable& table = tables_[w.objects];
    const Object* o = table.objects.find(address);
    if (!o) {
        return false;
    }
    reached_.assign(table.made.size(), 0);
    pending_.clear();
    dangling_.clear();
    reach_shared(w, table);
    for (std::size_t t = 0; t < w.threads.size(); ++t) {
        if (t != thread) {
            for (const Address p : threads_.at(w.threads[t], w.objects).pointers) {
                mention(table, p);
            }
        }
    }
    follow(w, table);
    return reached_[o->handle - program_.first_constant_global] == 0;
}

bool Renumbering::number(const World& w, const ObjectTable& table) {
    regions_.clear();
    next_.clear();
    for (std::size_t k = 0; k < table.made.size(); ++k) {
        if (reached_[k] != 0) {
            const auto [first, count] = regions_of(table.made[k]);
            regions_.push_back({.first = first, .count = count});
        }
    }
    regions_.insert(regions_.end(), dangling_.begin(), dangling_.end());
    std::ranges::sort(regions_, {}, &Region::first);
    const auto [from, to] = std::ranges::unique(regions_, {}, &Region::first);
    regions_.erase(from, to);
    bool same = true;
    for (Region& r : regions_) {
        const ThreadId t = thread_of(r.first);
        auto& next = next_[t.index];
        std::uint32_t& number = kind_of(r.first) == AddressKind::Heap ? next.first : next.second;
        r.fresh = make_address(kind_of(r.first), t, number, 0);
        number += static_cast<std::uint32_t>(r.count);
        same = same && r.fresh == r.first;
    }
    for (std::size_t t = 0; same && t < w.threads.size(); ++t) {
        const Standing& s = threads_.at(w.threads[t], w.objects);
        const auto next = next_[static_cast<std::uint32_t>(t)];
        same = s.phase != ThreadPhase::Running || !s.state.top ||
               (s.state.next_heap_region == next.first && s.state.next_stack_region == next.second &&
                !s.state.stack_regions_wrapped);
    }
    return !same;
}

std::uint64_t Renumbering::renamed(const ObjectTable& table, std::uint64_t word) const {
    if (!looks_like_made(word)) {
        return word;
    }
    const Address a = without_tag(word);
    const Object* o = table.objects.find(a);
    if (a != word && !(o && a >= o->base && a <= o->base + o->size)) {
        return word;
    }
    const Address first = o ? regions_of(*o).first : a & ~(kRegionSize - 1);
    const auto at = std::ranges::lower_bound(regions_, first, {}, &Region::first);
    return at == regions_.end() || at->first != first ? word : word - at->first + at->fresh;
}

/// Where each object goes follows from where the objects are and which regions are kept (`number`), and what becomes of a part from that and the part.
std::uint32_t Renumbering::way_of(PartId objects) {
    words_.assign(1, objects);
    for (const Region& r : regions_) {
        words_.insert(words_.end(), {r.first, r.count});
    }
    const std::uint32_t way = ways_->intern(words_);
    most_ways_ = std::max(most_ways_, way);
    return way;
}

PartId& Renumbering::known_as(std::uint32_t way, PartId part, bool thread) {
    return renumbered_[thread ? 1 : 0].try_emplace(std::uint64_t{way} << 32 | part, kNoPart).first->second;
}

void Renumbering::trim(std::size_t many) {
    if (pointers_.size() > many) {
        pointers_.clear();
    }
    if (renumbered_[0].size() + renumbered_[1].size() > many || most_ways_ > many) {
        forget_ways();
    }
}

void Renumbering::forget_ways() {
    for (auto& known : renumbered_) {
        known.clear();
    }
    ways_ = std::make_unique<Interner>(nullptr);
    most_ways_ = 0;
}

void Renumbering::apply(World& w) {
    reach_all(w);
    const PartId old = w.objects;
    const ObjectTable& table = tables_[old];
    const bool renames = number(w, table);
    const std::size_t globals = program_.first_constant_global;
    const auto rename = [&](std::uint64_t word) { return renamed(table, word); };
    if (!renames && std::ranges::find(reached_, 0) == reached_.end()) {
        return;
    }

    std::vector<Object> made;
    std::vector<PartId> contents(w.contents.begin(), w.contents.begin() + static_cast<std::ptrdiff_t>(globals));
    std::vector<Lost> lost = table.lost;
    for (std::size_t k = 0; k < table.made.size(); ++k) {
        Object o = table.made[k];
        if (reached_[k] != 0) {
            o.base = rename(o.base);
            made.push_back(o);
            contents.push_back(w.contents[globals + k]);
        } else if (o.alive) {
            const auto at = std::ranges::lower_bound(lost, o.allocated, {}, &Lost::allocated);
            if (at == lost.end() || at->allocated != o.allocated) {
                lost.insert(at, {.allocated = o.allocated, .thread = thread_of(o.base), .size = o.size});
            }
        }
    }
    w.objects = tables_.intern(made, lost);
    w.contents = std::move(contents);
    if (w.races.is_on()) {
        w.races.rename([&](Address a) -> std::optional<Address> {
            const Object* const o = looks_like_made(a) ? table.objects.find(a) : nullptr;
            const bool kept = o ? reached_[o->handle - program_.first_constant_global] != 0 : !looks_like_made(a);
            return kept ? std::optional(rename(a)) : std::nullopt;
        });
    }
    if (!renames) {
        return;
    }
    const std::uint32_t way = way_of(old);
    for (std::size_t k = 0; k < w.contents.size(); ++k) {
        if (!pointers_in(w.contents[k]).empty()) {
            PartId& known = known_as(way, w.contents[k], false);
            known = known != kNoPart ? known : contents_.changed(w.contents[k], rename);
            w.contents[k] = known;
        }
    }
    for (PendingStore& s : w.pending.all_to_change()) {
        s.address = rename(s.address);
        s.value.lo = rename(s.value.lo);
        s.value.hi = rename(s.value.hi);
    }
    for (std::size_t t = 0; t < w.threads.size(); ++t) {
        const Standing& s = threads_.at(w.threads[t], old);
        if (s.phase == ThreadPhase::Running) {
            PartId& known = known_as(way, w.threads[t], true);
            if (known == kNoPart) {
                const auto next = next_[static_cast<std::uint32_t>(t)];
                known =
                    threads_.changed(w.threads[t], next.first, next.second, [&](std::uint64_t& word) { word = rename(word); });
            }
            w.threads[t] = known;
        } else if (s.phase == ThreadPhase::Done && !s.pointers.empty()) {
            Value result = s.result;
            result.lo = rename(result.lo);
            w.threads[t] = threads_.done(result);
        }
    }
}

} // namespace heddle::stateful
