#include "search/stateful/object_table.hpp"

namespace heddle::stateful {

LocalImages::Id ObjectTables::intern(std::span<const Object> made, std::span<const Lost> lost) {
    std::vector<std::uint64_t> words{made.size()};
    for (const Object& o : made) {
        words.insert(
            words.end(),
            {o.base, o.size,
             std::uint64_t{o.layout.index} << 32 | std::uint64_t{static_cast<std::uint8_t>(o.kind)} << 1 | (o.alive ? 1 : 0),
             std::uint64_t{o.allocated.index} << 32 | o.freed.index, reinterpret_cast<std::uintptr_t>(o.name)});
    }
    for (const Lost& l : lost) {
        words.insert(words.end(), {std::uint64_t{l.allocated.index} << 32 | l.thread.index, l.size});
    }
    return interner_.intern(words);
}

const ObjectTable& ObjectTables::find(LocalImages::Id id) {
    auto& known = known_[id];
    if (known) {
        last_ = known.get();
        last_id_ = id;
        return *known;
    }
    known = std::make_unique<ObjectTable>(program_);
    std::vector<std::uint64_t> words;
    interner_.take(id, words);
    std::size_t at = 1;
    for (std::size_t k = 0; k < words[0]; ++k, at += 5) {
        Action alloc;
        alloc.kind = ActionKind::Alloc;
        alloc.address = words[at];
        alloc.count = words[at + 1];
        alloc.object = static_cast<ObjectKind>(static_cast<std::uint32_t>(words[at + 2]) >> 1);
        alloc.layout = LayoutId(static_cast<std::uint32_t>(words[at + 2] >> 32));
        alloc.place = PlaceId(static_cast<std::uint32_t>(words[at + 3] >> 32));
        alloc.name = reinterpret_cast<const std::string*>(words[at + 4]);
        Object made = known->objects.add(alloc);
        made.alive = (words[at + 2] & 1) != 0;
        made.freed = PlaceId(static_cast<std::uint32_t>(words[at + 3]));
        known->made.push_back(made);
    }
    for (const Object& o : known->made) { // after all are there, so that no handle is used twice
        if (!o.alive) {
            known->objects.end(o.base, o.freed);
        }
    }
    for (; at < words.size(); at += 2) {
        known->lost.push_back({.allocated = PlaceId(static_cast<std::uint32_t>(words[at] >> 32)),
                               .thread = ThreadId(static_cast<std::uint32_t>(words[at])),
                               .size = words[at + 1]});
    }
    return *known;
}

} // namespace heddle::stateful
