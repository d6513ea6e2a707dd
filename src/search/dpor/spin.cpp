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
                         const Value& outcome) {
    constexpr unsigned kFarEnough = 10'000; // a look ahead that does nothing for so long is given up
    ThreadState ahead = at;
    machine.resume(ahead, outcome);
    for (unsigned step = 0; step < kFarEnough; ++step) {
        const Action a = machine.run(ahead, objects);
        if (a.kind == ActionKind::Loop && a.count > 1) {
            const auto head = loop_head(ahead);
            for (const LoopRecord* r = loops.raw(); r; r = r->outer.raw()) {
                if (r->head == *head && same_iteration(r->state, ahead)) {
                    return r;
                }
            }
        }
        if (a.kind != ActionKind::Loop && a.kind != ActionKind::Fence && a.kind != ActionKind::Yield) {
            return nullptr;
        }
        machine.resume(ahead, {});
    }
    return nullptr;
}

} // namespace heddle
