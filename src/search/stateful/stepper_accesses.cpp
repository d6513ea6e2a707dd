// What a Stepper does when threads read and write shared memory, and end objects.
#include "search/conclude/conclude.hpp"
#include "search/stateful/stepper.hpp"

namespace heddle::stateful {

bool Stepper::looks_in_pieces(const World& w, const Action& a, const Value& v) {
    const auto points = [&](std::uint64_t word) {
        const Object* o = looks_like_made(word) ? tables_[w.objects].objects.find(word) : nullptr;
        return o && word >= o->base && word <= o->base + o->size;
    };
    if (a.address % 8 != 0 && a.size >= 8 && (points(v.lo) || (a.size == 16 && points(v.hi)))) {
        return true;
    }
    if (a.kind != ActionKind::Load || a.size >= 8) {
        return false;
    }
    const Address word = a.address & ~Address{7};
    const Object* o = tables_[w.objects].objects.find(word);
    return o && o->alive && word >= o->base && word + 8 <= o->base + o->size && points(memory_.load(w, word, 8).lo);
}

void Stepper::access(World& w, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    const bool update = a.kind != ActionKind::Load;
    bool tears = false; // the section it is in
    const auto found = [&](World& next, const Value& v, bool changes) {
        const std::size_t noted = log_.entries.size();
        if (decides_by_value(a) && !v.defined()) {
            findings_.wrong(machine_.trap_here(s.state, TrapKind::UninitializedRead, kUninitializedLock), ThreadId(t), {});
            return;
        }
        if (in_pieces(w, a, v)) {
            findings_.stop(Verdict::Unsupported,
                           "a pointer to a heap object or a shared local that is read in pieces, or not at a multiple of 8",
                           a.place);
            return;
        }
        const ReadEffect effect = effect_of_read(a, v);
        if (effect.waits) {
            // It has looked, and what it found is so: others' stores may have had to come before.
            if (changes) {
                next.depth |= tears ? World::kTorn : 0;
                threads_.stay();
                emit(next);
            }
            log_.entries.resize(noted);
            return;
        }
        if (log_.on) {
            std::optional<std::uint32_t> own;
            for (const PendingStore& p : next.pending.all()) {
                own = p.thread == t && p.overlaps(a.address, a.size) ? std::optional(p.tag) : own;
            }
            note(Happened::Kind::Read, t, a, v, own, update);
        }
        if (races_) {
            races_->reads(next, t, s, order_of_read(a, effect.written.has_value()));
        }
        if (effect.written) {
            PendingStore written{.address = a.address,
                                 .value = *effect.written,
                                 .place = a.place,
                                 .thread = t,
                                 .tag = log_.next_tag,
                                 .size = a.size};
            note(Happened::Kind::Write, t, a, *effect.written, log_.next_tag, true);
            ++log_.next_tag;
            if (races_) {
                written.message = races_->writes(next, t, s, order_of_write(a), true);
            }
            memory_.put(next, written); // what is pending there was found not to have reached memory yet
            if (a.weak) {
                findings_.assume(weak_compare_exchange(a));
            }
        }
        next.depth |= tears ? World::kTorn : 0;
        go_on(next, t, s, effect.outcome, emit);
        log_.entries.resize(noted);
    };
    if (is_in_section(w, t)) {
        const Value v = memory_.load(w, a.address, a.size);
        if (!v.defined() || !effect_of_read(a, v).waits) {
            return found(w, v, false);
        }
        tears = true;
    }
    memory_.read(w, t, a.address, a.size, update, found);
}

void Stepper::store(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    const Value v = a.kind == ActionKind::Unlock ? Value{} : a.value;
    if (in_pieces(next, a, v)) {
        findings_.stop(Verdict::Unsupported,
                       "a pointer to a heap object or a shared local that is stored elsewhere than at a multiple of 8", a.place);
        return;
    }
    note(Happened::Kind::Write, t, a, v, log_.next_tag, false);
    PendingStore store{.address = a.address, .value = v, .place = a.place, .thread = t, .tag = log_.next_tag++, .size = a.size};
    if (races_) {
        store.message = races_->writes(next, t, s, a.order, false);
    }
    if (is_in_section(next, t) || bypasses(next, t, a)) {
        memory_.put(next, store);
    } else if (!memory_.write(next, store, a.order)) {
        return;
    }
    go_on(next, t, s, {}, emit);
}

void Stepper::allocate(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const PartId before = next.objects;
    memory_.allocate(next, s.action);
    parts_.objects_made = true;
    next.threads[t] = threads_.after(next.threads[t], before, next.objects, {});
    emit(next);
}

void Stepper::free(World& next, std::uint32_t t, const Standing& s, const Emit& emit) {
    const Action& a = s.action;
    const PartId before = next.objects;
    note(Happened::Kind::Other, t, a, {}, {}, false);
    for (const PendingStore& late : memory_.free(next, t, a)) {
        // It has not certainly reached memory before the object ended.
        if (auto fault = tables_[next.objects].objects.access_fault(late.address, late.size, true, false)) {
            findings_.wrong({.kind = fault->kind, .message = fault->message, .stack = {late.place}, .object = fault->object},
                            ThreadId(late.thread), {});
        }
    }
    next.threads[t] = threads_.after(next.threads[t], before, next.objects, {});
    emit(next);
}

} // namespace heddle::stateful
