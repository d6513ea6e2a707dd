#include "machine/machine.hpp"

#include "machine/interpreter.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

Shadow first_shadow(const Machine::Options& options) { return options.dependencies ? Shadow::UndefAndDeps : Shadow::Plain; }

/// The frames from the innermost out, as user lines: a runtime function counts as part of the line that called it.
template <class F> void each_place(const ThreadState& thread, F&& visit) {
    for (const Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        if (!f->function->runtime && !visit(f->function->places[f->pc])) {
            return;
        }
    }
}

} // namespace

std::vector<PlaceId> stack_of(const ThreadState& thread) {
    constexpr std::size_t kMostFrames = 64; // of an endless recursion, the innermost say enough
    std::vector<PlaceId> places;
    each_place(thread, [&](PlaceId place) {
        places.push_back(place);
        return places.size() < kMostFrames;
    });
    if (places.empty()) {
        places.push_back(thread.top ? thread.top->function->places[thread.top->pc] : PlaceId{});
    }
    return places;
}

ThreadState Machine::start_main() const { return start_at(program_->start, ThreadId{}); }

ThreadState Machine::start_at(FunctionId function, ThreadId id) const {
    ThreadState t;
    t.id = id;
    t.memory = Ref<PrivateMemory>::adopt(new PrivateMemory);
    t.top = Frame::make(program_->function(function), first_shadow(options_));
    t.top->total_bytes = t.top->bytes;
    return t;
}

ThreadState Machine::start_thread(const Action& spawn, ThreadId id) const {
    HEDDLE_CHECK(program_->thread_main, "a thread is spawned in a program that spawns none");
    ThreadState t;
    t.id = id;
    t.memory = Ref<PrivateMemory>::adopt(new PrivateMemory);
    const bool undefined = !spawn.value.defined();
    const Shadow shadow = options_.dependencies ? Shadow::UndefAndDeps : undefined ? Shadow::Undef : Shadow::Plain;
    t.top = Frame::make(program_->function(*program_->thread_main), shadow);
    t.top->total_bytes = t.top->bytes;
    t.top->slots()[0] = spawn.address;
    t.top->slots()[1] = spawn.value.lo;
    if (shadow != Shadow::Plain) {
        t.top->undef()[1] = spawn.value.undef_lo;
    }
    return t;
}

Action Machine::run(ThreadState& thread, const Objects& objects) {
    Action action;
    Interpreter(*this, thread, &objects, nullptr, &action).run();
    return action;
}

Action Machine::run(ThreadState& thread, Memory& memory) {
    Action action;
    Interpreter(*this, thread, &memory.objects(), &memory, &action).run();
    return action;
}

void Machine::resume(ThreadState& thread, const Value& outcome) {
    Interpreter(*this, thread, nullptr, nullptr, nullptr).complete(outcome);
}

Trap Machine::trap_here(const ThreadState& thread, TrapKind kind, std::string message) const {
    return {.kind = kind, .message = std::move(message), .stack = stack_of(thread), .object = {}};
}

PlaceId Machine::place(const ThreadState& thread) const {
    PlaceId innermost{};
    each_place(thread, [&](PlaceId place) {
        innermost = place;
        return false;
    });
    return innermost;
}

std::vector<Ref<Block>> Machine::roots(const ThreadState& thread) const {
    std::vector<Ref<Block>> blocks;
    for (const Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        const std::size_t registers = std::size_t{f->function->slots} * 8;
        auto block = Block::make(registers + ((f->function->local_bytes + 7u) & ~7u), Block::Content::Zero);
        std::memcpy(block->bytes(), f->slots(), registers);
        std::memcpy(block->bytes() + registers, f->local_bytes(), f->function->local_bytes);
        blocks.push_back(std::move(block));
    }
    for (const PrivateBlock& b : thread.memory->blocks) {
        blocks.push_back(b.data);
    }
    return blocks;
}

} // namespace heddle
