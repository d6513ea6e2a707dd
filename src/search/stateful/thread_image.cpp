#include "search/stateful/thread_image.hpp"

#include "machine/block.hpp"
#include "support/check.hpp"

#include <algorithm>

namespace heddle::stateful {
namespace {

void put_bytes(const std::uint8_t* bytes, std::size_t size, Words& into) {
    const std::size_t first = into.size();
    into.resize(first + (size + 7) / 8, 0);
    std::memcpy(into.data() + first, bytes, size);
}

bool any(const std::uint8_t* bytes, std::size_t size) {
    return std::any_of(bytes, bytes + size, [](std::uint8_t b) { return b != 0; });
}

/// A cursor over an image.
class Reader {
  public:
    explicit Reader(std::span<const std::uint64_t> words) : words_(words) {}
    std::uint64_t word() { return words_[at_++]; }
    std::uint32_t half() { return static_cast<std::uint32_t>(word()); }
    void bytes(std::uint8_t* into, std::size_t size) {
        std::memcpy(into, words_.data() + at_, size);
        at_ += (size + 7) / 8;
    }

  private:
    std::span<const std::uint64_t> words_;
    std::size_t at_ = 0;
};

std::uint64_t two(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
std::uint32_t high(std::uint64_t w) { return static_cast<std::uint32_t>(w >> 32); }
std::uint32_t low(std::uint64_t w) { return static_cast<std::uint32_t>(w); }

} // namespace

void ThreadImages::encode_frame(const Frame& f, const Frame* callee, Words& into) {
    const FrameLive live = live_in(f, callee);
    into.push_back(two(static_cast<std::uint32_t>(f.function - program_.functions.data()), f.pc));
    into.push_back(two(f.region_base, f.stack_mark));
    into.push_back(two(f.result_slot, f.result_count));
    bool shadow = false;
    for (const Slot s : live.at->slots) {
        into.push_back(live.is_result(s) ? 0 : f.slots()[s]);
        shadow = shadow || (f.shadow != Shadow::Plain && !live.is_result(s) && f.undef()[s] != 0);
    }
    const bool busy = f.progress != 0;
    into.push_back((shadow ? 1u : 0u) | (busy ? 2u : 0u));
    if (shadow) {
        for (const Slot s : live.at->slots) {
            into.push_back(live.is_result(s) ? 0 : f.undef()[s]);
        }
    }
    if (busy) {
        into.insert(into.end(), {f.progress, f.chunk, f.chunk_undef});
    }
    for (const std::uint32_t l : live.at->locals) {
        const Local& local = f.function->locals[l];
        put_bytes(f.local_bytes() + local.offset, local.size, into);
        put_bytes(f.local_undef() + local.offset, local.size, into);
    }
}

void ThreadImages::encode_memory(const ThreadState& thread, Words& into) {
    const PrivateMemory& m = *thread.memory;
    into.push_back(two(m.next_region, static_cast<std::uint32_t>(m.blocks.size())));
    into.push_back(two(static_cast<std::uint32_t>(m.stack.size()), static_cast<std::uint32_t>(m.thread_locals.size())));
    for (const StackObject& o : m.stack) {
        into.insert(into.end(), {o.address, o.size});
    }
    into.insert(into.end(), m.thread_locals.begin(), m.thread_locals.end());
    for (const PrivateBlock& b : m.blocks) {
        const bool undefined = b.data->undef() && any(b.data->undef(), b.data->size());
        into.insert(into.end(),
                    {b.base, b.size, two(b.allocated.index, static_cast<std::uint32_t>(b.kind) | (undefined ? 256u : 0u)),
                     reinterpret_cast<std::uintptr_t>(b.name)});
        put_bytes(b.data->bytes(), b.data->size(), into);
        if (undefined) {
            put_bytes(b.data->undef(), b.data->size(), into);
        }
    }
}

void ThreadImages::encode(const ThreadState& thread, Words& into) {
    HEDDLE_CHECK(thread.top, "a thread without frames is not standing anywhere");
    std::vector<const Frame*> frames;
    for (const Frame* f = thread.top.raw(); f; f = f->parent.raw()) {
        frames.push_back(f);
    }
    into.push_back(two(thread.id.index, (thread.exiting ? 1u : 0u) | (thread.stack_regions_wrapped ? 2u : 0u)));
    into.push_back(two(thread.spawned, static_cast<std::uint32_t>(frames.size())));
    into.push_back(two(thread.next_heap_region, thread.next_stack_region));
    into.push_back(thread.stack_bytes);
    if (thread.exiting) {
        into.insert(into.end(), {thread.result.lo, thread.result.hi, thread.result.undef_lo, thread.result.undef_hi});
    }
    encode_memory(thread, into);
    for (std::size_t k = frames.size(); k-- > 0;) {
        encode_frame(*frames[k], k == 0 ? nullptr : frames[k - 1], into);
    }
}

ThreadState ThreadImages::decode(std::span<const std::uint64_t> words) {
    Reader in(words);
    ThreadState t;
    std::uint64_t w = in.word();
    t.id = ThreadId(high(w));
    t.exiting = (w & 1) != 0;
    t.stack_regions_wrapped = (w & 2) != 0;
    w = in.word();
    t.spawned = high(w);
    const std::uint32_t frames = low(w);
    w = in.word();
    t.next_heap_region = high(w);
    t.next_stack_region = low(w);
    t.stack_bytes = in.word();
    if (t.exiting) {
        t.result.lo = in.word();
        t.result.hi = in.word();
        t.result.undef_lo = in.word();
        t.result.undef_hi = in.word();
    }
    t.memory = Ref<PrivateMemory>::adopt(new PrivateMemory);
    PrivateMemory& m = *t.memory;
    w = in.word();
    m.next_region = high(w);
    const std::uint32_t blocks = low(w);
    w = in.word();
    const std::uint32_t stack = high(w);
    const std::uint32_t locals = low(w);
    for (std::uint32_t k = 0; k < stack; ++k) {
        const Address address = in.word();
        m.stack.push_back({address, in.word()});
    }
    for (std::uint32_t k = 0; k < locals; ++k) {
        m.thread_locals.push_back(in.word());
    }
    for (std::uint32_t k = 0; k < blocks; ++k) {
        PrivateBlock b;
        b.base = in.word();
        b.size = in.word();
        w = in.word();
        b.allocated = PlaceId(high(w));
        b.kind = static_cast<ObjectKind>(low(w) & 255);
        b.name = reinterpret_cast<const std::string*>(in.word());
        b.data = Block::make(b.size, Block::Content::Zero);
        in.bytes(b.data->bytes(), b.size);
        if ((low(w) & 256) != 0) {
            in.bytes(b.data->undef_for_writing(), b.size);
        }
        m.blocks.push_back(std::move(b));
    }
    // A caller's live slots depend on which of them its callee will overwrite, which does not matter here: the image has a word for each.
    for (std::uint32_t k = 0; k < frames; ++k) {
        w = in.word();
        const Function& function = program_.functions[high(w)];
        const bool is_top = k + 1 == frames;
        const LiveAt& live = live_.before(function, is_top ? low(w) : low(w) + 1);
        const std::uint32_t pc = low(w);
        const std::uint64_t places = in.word();
        const std::uint64_t results = in.word();
        Words slots;
        for (std::size_t s = 0; s < live.slots.size(); ++s) {
            slots.push_back(in.word());
        }
        const std::uint64_t flags = in.word();
        Ref<Frame> f = Frame::make(function, (flags & 1) != 0 ? Shadow::Undef : Shadow::Plain);
        f->pc = pc;
        f->region_base = high(places);
        f->stack_mark = low(places);
        f->result_slot = static_cast<Slot>(high(results));
        f->result_count = static_cast<std::uint16_t>(low(results));
        for (std::size_t s = 0; s < live.slots.size(); ++s) {
            f->slots()[live.slots[s]] = slots[s];
        }
        for (std::size_t s = 0; (flags & 1) != 0 && s < live.slots.size(); ++s) {
            f->undef()[live.slots[s]] = in.word();
        }
        if ((flags & 2) != 0) {
            f->progress = in.word();
            f->chunk = in.word();
            f->chunk_undef = in.word();
        }
        for (const std::uint32_t l : live.locals) {
            const Local& local = function.locals[l];
            in.bytes(f->local_bytes() + local.offset, local.size);
            in.bytes(f->local_undef() + local.offset, local.size);
        }
        f->total_bytes = f->bytes + (t.top ? t.top->total_bytes : 0);
        f->parent = std::move(t.top);
        t.top = std::move(f);
    }
    return t;
}

} // namespace heddle::stateful
