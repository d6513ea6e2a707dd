#include "search/stateful/state.hpp"

namespace heddle::stateful {

Packed pack(Parts& parts, const World& w) {
    Packed p;
    p.threads = parts.tuples.intern(w.threads);
    p.memory = parts.tuples.intern(w.contents);
    std::uint32_t rest[4] = {w.objects, w.atomic, w.depth, 0};
    std::size_t count = 3;
    if (!w.pending.empty()) {
        std::vector<std::uint64_t> words;
        w.pending.encode(words);
        rest[count++] = parts.pending.intern(words);
    }
    p.rest = parts.tuples.intern(std::span<const std::uint32_t>(rest, count));
    return p;
}

void unpack(const Parts& parts, const Packed& packed, World& into) {
    const auto threads = parts.tuples[packed.threads];
    into.threads.assign(threads.begin(), threads.end());
    const auto contents = parts.tuples[packed.memory];
    into.contents.assign(contents.begin(), contents.end());
    const auto rest = parts.tuples[packed.rest];
    into.objects = rest[0];
    into.atomic = rest[1];
    into.depth = rest[2];
    into.pending = rest.size() > 3 ? PendingStores::decode(parts.pending.wide(rest[3])) : PendingStores{};
}

} // namespace heddle::stateful
