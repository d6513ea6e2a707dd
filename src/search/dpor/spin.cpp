#include "search/dpor/spin.hpp"

namespace heddle {

Ref<LoopRecord> arrived(const Ref<LoopRecord>& loops, const ThreadState& at, std::uint64_t count) {
    const auto head = loop_head(at);
    const Ref<LoopRecord>* outer = &loops;
    // What was met inside an earlier iteration of this loop, or in calls that have returned, is over.
    for (const Ref<LoopRecord>* r = &loops; *r; r = &(*r)->outer) {
        if ((*r)->head == *head && count > 1) {
            outer = &(*r)->outer;
            break;
        }
        if ((*r)->head.depth > head->depth) {
            outer = &(*r)->outer;
        }
    }
    auto* record = new LoopRecord;
    record->head = *head;
    record->state = at;
    record->outer = *outer;
    return Ref<LoopRecord>::adopt(record);
}

const LoopRecord* futile(Machine& machine, const Objects& objects, const Ref<LoopRecord>& loops, const ThreadState& at,
                         const Value& outcome, std::optional<Ahead>& ahead) {
    constexpr unsigned kFarEnough = 10'000; // a look ahead that does nothing for so long is given up
    ThreadState state = at;
    machine.resume(state, outcome);
    for (unsigned step = 0; step < kFarEnough; ++step) {
        Action a = machine.run(state, objects);
        if (a.kind == ActionKind::Loop && a.count > 1) {
            const auto head = loop_head(state);
            for (const LoopRecord* r = loops.raw(); r; r = r->outer.raw()) {
                if (r->head == *head && same_iteration(r->state, state)) {
                    return r;
                }
            }
        }
        if (a.kind != ActionKind::Loop && a.kind != ActionKind::Fence && a.kind != ActionKind::Yield) {
            if (step == 0) {
                ahead.emplace(std::move(state), std::move(a));
            }
            return nullptr;
        }
        machine.resume(state, {});
    }
    return nullptr;
}

} // namespace heddle
