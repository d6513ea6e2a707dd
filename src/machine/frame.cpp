#include "machine/frame.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace heddle {

std::uint32_t Frame::size_of(const Function& function, Shadow shadow) {
    std::size_t size = sizeof(Frame) + std::size_t{function.slots} * 8;
    if (shadow != Shadow::Plain) {
        size += std::size_t{function.slots} * 8;
    }
    size += (std::size_t{function.local_bytes} * 2 + 7) & ~std::size_t{7};
    if (shadow == Shadow::UndefAndDeps) {
        size += (std::size_t{function.slots} + function.local_bytes) * sizeof(DepSet);
    }
    return static_cast<std::uint32_t>(size);
}

Frame* Frame::allocate(const Function& function, Shadow shadow) {
    const std::uint32_t size = size_of(function, shadow);
    void* p = std::malloc(size);
    if (!p) {
        throw std::bad_alloc();
    }
    return new (p) Frame(function, shadow, size);
}

Ref<Frame> Frame::make(const Function& function, Shadow shadow) {
    Frame* f = allocate(function, shadow);
    // Registers are zeroed although every one is written before it is read: equal states then have equal bytes.
    std::memset(static_cast<void*>(f + 1), 0, f->bytes - sizeof(Frame));
    if (!function.constants.empty()) {
        std::memcpy(f->slots() + function.first_constant, function.constants.data(), function.constants.size() * 8);
    }
    if (function.local_bytes != 0) {
        std::memset(f->local_undef(), 0xff, function.local_bytes);
    }
    return Ref<Frame>::adopt(f);
}

Ref<Frame> Frame::copy(const Frame& from, Shadow shadow) {
    const Function& function = *from.function;
    Frame* f = allocate(function, shadow);
    f->parent = from.parent;
    f->pc = from.pc;
    f->region_base = from.region_base;
    f->stack_mark = from.stack_mark;
    f->total_bytes = from.total_bytes;
    f->result_slot = from.result_slot;
    f->result_count = from.result_count;
    f->chunk_deps = from.chunk_deps;
    f->progress = from.progress;
    f->chunk = from.chunk;
    f->chunk_undef = from.chunk_undef;
    if (shadow == from.shadow) {
        std::memcpy(static_cast<void*>(f + 1), static_cast<const void*>(&from + 1), f->bytes - sizeof(Frame));
    } else {
        std::memset(static_cast<void*>(f + 1), 0, f->bytes - sizeof(Frame));
        std::memcpy(f->slots(), from.slots(), std::size_t{function.slots} * 8);
        std::memcpy(f->local_bytes(), from.local_bytes(), std::size_t{function.local_bytes} * 2);
    }
    return Ref<Frame>::adopt(f);
}

void Frame::destroy(Frame* frame) {
    // A loop, not the destructor of `parent`: a program's endless recursion must not become ours.
    while (frame) {
        Frame* parent = frame->parent.detach();
        frame->~Frame();
        std::free(frame);
        frame = parent && parent->release() ? parent : nullptr;
    }
}

} // namespace heddle
