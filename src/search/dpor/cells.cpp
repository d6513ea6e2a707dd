#include "search/dpor/cells.hpp"

#include "search/dpor/steps.hpp"

#include "support/check.hpp"

namespace heddle {
namespace {

/// What an object is as far as cuts go.
std::uint64_t key_of(const Object& o) {
    const bool made = o.kind != ObjectKind::Global && o.allocated != PlaceId{};
    return made ? o.allocated.index : o.base; // addresses are far above all numbers of places
}

} // namespace

void Cells::fill(Address base, const std::set<std::uint64_t>& cuts, Address from, Address to, bool atomic) {
    while (from < to) {
        const auto next = cuts.upper_bound(from - base);
        const Address end = next == cuts.end() ? to : std::min(to, base + *next);
        cells_[from] = {.size = static_cast<std::uint8_t>(end - from), .atomic = atomic};
        from = end;
    }
}

std::span<const LocationId> Cells::find(const Objects& objects, Address address, std::uint8_t size, bool atomic, PlaceId place) {
    const Object* object = objects.find(address);
    HEDDLE_CHECK(object, "an access outside all objects");
    const Address end = address + size;
    auto& cuts = cuts_[key_of(*object)];
    // The cells that overlap, from the one that starts before.
    auto first = cells_.upper_bound(address);
    if (first != cells_.begin() && std::prev(first)->first + std::prev(first)->second.size > address) {
        --first;
    }
    Address at = address;
    for (auto it = first; it != cells_.end() && it->first < end; ++it) {
        const Address cell_end = it->first + it->second.size;
        if (it->first < address || cell_end > end) {
            if (it->second.atomic) {
                throw TornAtomic{place};
            }
            cuts.insert((it->first < address ? address : end) - object->base);
            throw LessonLearnt{};
        }
        if (at < it->first) {
            fill(object->base, cuts, at, it->first, atomic);
        }
        it->second.atomic = it->second.atomic || atomic;
        at = cell_end;
    }
    if (at < end) {
        fill(object->base, cuts, at, end, atomic);
    }
    std::vector<LocationId> locations;
    for (auto it = cells_.find(address); it != cells_.end() && it->first < end; ++it) {
        locations.push_back(graph_.location_of(it->first, it->second.size));
    }
    if (atomic && locations.size() > 1) {
        throw TornAtomic{place};
    }
    return known_[{address, size}] = std::move(locations);
}

void Cells::locate(const Objects& objects, Step& s) {
    const Action& a = s.action;
    const auto cells = of(objects, a.address, a.size, is_atomic(a), a.place);
    s.pieces = static_cast<std::uint8_t>(cells.size());
    s.location = cells[0];
}

LocationId Cells::location(const Objects& objects, const Step& s, std::uint32_t part) {
    const Action& a = s.action;
    return s.pieces == 1 ? s.location : of(objects, a.address, a.size, is_atomic(a), a.place)[part];
}

} // namespace heddle
