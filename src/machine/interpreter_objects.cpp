// The life of stack objects and thread-local variables: where they go, and when they end.
#include "machine/interpreter.hpp"

#include <fmt/format.h>

namespace heddle {
namespace {

using u64 = std::uint64_t;

} // namespace

std::optional<Address> Interpreter::next_heap_address(u64 size, u64 align) const {
    const Span span = span_of(size, align);
    if (thread_.next_heap_region + span.regions > kMaxRegions) {
        return std::nullopt;
    }
    return make_address(AddressKind::Heap, thread_.id, thread_.next_heap_region, 0) + span.offset;
}

void Interpreter::take_heap_address(Address address, u64 size, u64 align) {
    const Span span = span_of(size, align);
    thread_.next_heap_region = region_of(address - span.offset) + static_cast<std::uint32_t>(span.regions);
}

std::optional<Address> Interpreter::next_stack_address(u64 size, u64 align) const {
    const Span span = span_of(size, align);
    u64 region = thread_.next_stack_region;
    const auto& stack = thread_.memory->stack;
    for (std::size_t tries = 0; tries <= stack.size() + 1; ++tries) {
        if (region + span.regions > kMaxRegions) {
            region = 0; // Numbers are used again, oldest first, so a dangling pointer is noticed for as long as possible.
        }
        if (!thread_.stack_regions_wrapped && region == thread_.next_stack_region) {
            return make_address(AddressKind::Stack, thread_.id, static_cast<std::uint32_t>(region), 0) + span.offset;
        }
        const auto live = std::ranges::find_if(stack, [&](const StackObject& o) {
            const u64 first = region_of(o.address - kGuard);
            const u64 last = region_of(o.address + o.size + kGuard);
            return kind_of(o.address) == AddressKind::Stack && first < region + span.regions && region <= last;
        });
        if (live == stack.end()) {
            return make_address(AddressKind::Stack, thread_.id, static_cast<std::uint32_t>(region), 0) + span.offset;
        }
        region = region_of(live->address + live->size + kGuard) + 1;
    }
    return std::nullopt;
}

void Interpreter::take_stack_address(Address address, u64 size, u64 align) {
    const Span span = span_of(size, align);
    const std::uint32_t first = region_of(address - span.offset);
    thread_.stack_regions_wrapped |= first < thread_.next_stack_region;
    thread_.next_stack_region = first + static_cast<std::uint32_t>(span.regions);
    own_memory().stack.push_back({address, size});
    thread_.stack_bytes += size;
}

PrivateBlock* Interpreter::new_block(u64 align, ObjectKind kind, Ref<Block> data) {
    PrivateMemory& memory = own_memory();
    const Span span = span_of(data->size(), align);
    if (memory.next_region + span.regions > kMaxRegions) {
        return nullptr;
    }
    const Address base = make_address(AddressKind::Block, thread_.id, memory.next_region, 0) + span.offset;
    memory.next_region += static_cast<std::uint32_t>(span.regions);
    const u64 size = data->size();
    memory.blocks.push_back(
        {.base = base, .size = size, .kind = kind, .data = std::move(data), .allocated = machine_.place(thread_)});
    return &memory.blocks.back();
}

bool Interpreter::prepare_alloc(std::optional<Address> address, u64 size, u64 align, ObjectKind kind) {
    if (!address) {
        trap(TrapKind::OutOfBudget, "this thread has made more objects than Heddle can number");
        return false;
    }
    Action& a = act(ActionKind::Alloc);
    a.address = *address;
    a.count = size;
    a.align = static_cast<std::uint32_t>(align);
    a.object = kind;
    return true;
}

Interpreter::Next Interpreter::alloca_object(const Instr& i) {
    if (undef(i.a) != 0) {
        return trap_undefined("the size of an array");
    }
    const u64 size = slot(i.a);
    const u64 align = i.x();
    if (size > machine_.options().max_stack_bytes ||
        frame().total_bytes + thread_.stack_bytes + size > machine_.options().max_stack_bytes) {
        return trap(TrapKind::StackOverflow, fmt::format("a local variable of {} bytes overflows the stack of {} bytes", size,
                                                         machine_.options().max_stack_bytes));
    }
    const auto& variables = frame().function->variables;
    const Variable* variable = i.b < variables.size() ? &variables[i.b] : nullptr;
    if (i.y() == 0) {
        PrivateBlock* block = new_block(align, ObjectKind::Stack, Block::make(size, Block::Content::Undefined));
        if (!block) {
            return trap(TrapKind::StackOverflow, "this thread has more local arrays than Heddle can number");
        }
        block->name = variable ? &variable->name : nullptr;
        thread_.memory->stack.push_back({block->base, size});
        thread_.stack_bytes += size;
        set(i.dst, block->base, 0, 0);
        note_address(i);
        advance();
        return Next::Go;
    }
    if (!prepare_alloc(next_stack_address(size, align), size, align, ObjectKind::Stack)) {
        return Next::Stop;
    }
    if (variable) {
        action_->name = &variable->name;
        action_->layout = variable->layout;
    }
    action_->deps.data = deps(i.a);
    return emit();
}

void Interpreter::forget_stack_object() {
    PrivateMemory& memory = own_memory();
    const StackObject last = memory.stack.back();
    memory.stack.pop_back();
    thread_.stack_bytes -= last.size;
    if (kind_of(last.address) == AddressKind::Block) {
        // The newest block of kind Stack: thread-local ones made since stay, so its region numbers are used again only when it is last.
        const auto at = std::ranges::find(memory.blocks, last.address, &PrivateBlock::base);
        if (std::next(at) == memory.blocks.end()) {
            memory.next_region = region_of(at->base - kGuard);
        }
        memory.blocks.erase(at);
    }
}

/// Ends the newest stack object; the instruction comes back until `down_to` are left.
Interpreter::Next Interpreter::end_stack_objects(std::size_t down_to) {
    while (thread_.memory->stack.size() > down_to) {
        const StackObject last = thread_.memory->stack.back();
        if (kind_of(last.address) == AddressKind::Stack) {
            Action& a = act(ActionKind::Free);
            a.address = last.address;
            a.count = last.size;
            a.object = ObjectKind::Stack;
            return emit();
        }
        forget_stack_object();
    }
    return Next::Go;
}

Interpreter::Next Interpreter::thread_local_address(const Instr& i) {
    const auto variable = static_cast<std::uint32_t>(i.imm);
    const ThreadLocal& t = program_.thread_locals[variable];
    if (thread_.memory->thread_locals.empty()) {
        own_memory().thread_locals.resize(program_.thread_locals.size());
    }
    if (const Address known = thread_.memory->thread_locals[variable]; known != 0) {
        set(i.dst, known, 0, 0);
        advance();
        return Next::Go;
    }
    if (!t.escapes) {
        PrivateBlock* block = new_block(t.align, ObjectKind::ThreadLocal, Block::make(t.size, t.init));
        if (!block) {
            return trap(TrapKind::OutOfBudget, "this thread has more variables than Heddle can number");
        }
        block->name = &t.name;
        block->allocated = t.place;
        thread_.memory->thread_locals[variable] = block->base;
        return Next::Go;
    }
    if (!prepare_alloc(next_heap_address(t.size, t.align), t.size, t.align, ObjectKind::ThreadLocal)) {
        return Next::Stop;
    }
    action_->place = t.place;
    action_->name = &t.name;
    action_->layout = t.layout;
    action_->zeroed = t.init.empty();
    action_->image = t.init.empty() ? nullptr : &t.init;
    return emit();
}

} // namespace heddle
