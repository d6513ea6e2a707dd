// Threads: where a thread stands, as a part of a state, and where it stands next.
//
// A thread stands at an action that others can see or that is a choice; what it does on its own in between is run at once. Where it goes on
// reading some value is found by running it once: the edges are remembered, so most steps of a search run no code at all.
#pragma once

#include "machine/machine.hpp"
#include "search/stateful/local_images.hpp"
#include "search/stateful/object_table.hpp"
#include "search/stateful/thread_image.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

namespace heddle::stateful {

enum class ThreadPhase : std::uint8_t {
    Absent,  ///< never started here; thread ids are given once for all executions
    Running, ///< standing at `action`
    Leaving, ///< of an image only: Running, at its Done
    Done,    ///< with `result`; not joined yet
    Exited,  ///< ended the program
    Joined,
};

struct Standing {
    ThreadPhase phase = ThreadPhase::Absent;
    ThreadState state{};
    Action action{};
    Value result{};
    std::vector<Address> pointers{}; ///< words that it can read and that may be addresses of made objects
    struct Edge {
        std::uint64_t outcome;
        LocalImages::Id to;
        bool loops; ///< it passes the head of a loop that others may notice
    };
    std::vector<Edge>
        edges{}; ///< outcomes of up to eight bytes, all defined, that leave the objects as they are, and where the thread stands then
    mutable std::uint32_t sort = 0; ///< see Choices; 0: not asked
};

/// Of one worker.
class Threads {
  public:
    using Id = LocalImages::Id;

    Threads(Machine& machine, LocalImages& interner, ObjectTables& tables, bool counters)
        : machine_(machine), interner_(interner), tables_(tables), images_(machine.program(), counters) {}

    /// The thread, with the action that it stands at among these objects.
    [[gnu::always_inline]] const Standing& at(Id thread, Id objects) { return find(thread, objects); }
    [[nodiscard]] Id plain(ThreadPhase phase); ///< Absent, Exited, Joined
    [[nodiscard]] Id done(const Value& result);
    /// A thread that runs until it stands somewhere. `like`: where it, or another, stood, which may be kept in a similar way; kNone: nobody knows.
    [[nodiscard]] Id arrive(ThreadState&& thread, Id objects, Id like = LocalImages::kNone);
    /// Where it, standing at `s` among these objects, stands once its action has had this outcome and has left them as they are.
    [[nodiscard]] Id after(Id thread, const Standing& s, Id objects, const Value& outcome) {
        if (is_short(outcome)) {
            for (const Standing::Edge& e : s.edges) {
                if (e.outcome == outcome.lo) {
                    looped_ = e.loops;
                    return e.to;
                }
            }
        }
        return after_slowly(thread, objects, objects, outcome);
    }
    /// Where it stands once its action, among the objects `before`, has had this outcome, and left the objects `now`.
    [[nodiscard]] Id after(Id thread, Id before, Id now, const Value& outcome) {
        return before == now ? after(thread, find(thread, before), now, outcome) : after_slowly(thread, before, now, outcome);
    }
    /// The thread whose turn it is stays where it is, or ends.
    void stay() { looped_ = false; }
    /// Did the thread that was run last, or would have been, pass the head of a loop? (Only with Machine::Options::loops.)
    [[nodiscard]] bool looped() const { return looped_; }
    /// The same thread with its words changed, and with these numbers for its next objects.
    template <class F> [[nodiscard]] Id changed(Id thread, std::uint32_t next_heap, std::uint32_t next_stack, F&& change);
    /// Has it met more than that?
    [[nodiscard]] bool is_more_than(std::size_t many) const;
    /// Forgets what it has met. References become invalid, and numbers of threads may.
    void forget();

  private:
    struct Edge {
        Id thread = 0;
        Id before = 0;
        Id now = 0;
        Value outcome{};
        friend bool operator==(const Edge&, const Edge&) = default;
    };
    /// Open addressing: half full at most, a power of two.
    class EdgeTable {
      public:
        struct Target {
            Id thread;
            bool loops;
        };
        [[nodiscard]] const Target* find(const Edge& e) const {
            if (slots_.empty()) {
                return nullptr;
            }
            const Slot& s = slots_[place(e)];
            return s.used ? &s.target : nullptr;
        }
        void insert(const Edge& e, Target target) {
            if ((size_ + 1) * 2 > slots_.size()) {
                std::vector<Slot> old(std::max<std::size_t>(64, slots_.size() * 2));
                slots_.swap(old);
                for (const Slot& s : old) {
                    if (s.used) {
                        slots_[place(s.edge)] = s;
                    }
                }
            }
            slots_[place(e)] = {.edge = e, .target = target, .used = true};
            ++size_;
        }
        [[nodiscard]] std::size_t size() const { return size_; }
        void clear() { *this = {}; }

      private:
        struct Slot {
            Edge edge{};
            Target target{};
            bool used = false;
        };
        [[nodiscard]] std::size_t place(const Edge& e) const {
            std::size_t at = hash(e) & (slots_.size() - 1);
            while (slots_[at].used && slots_[at].edge != e) {
                at = (at + 1) & (slots_.size() - 1);
            }
            return at;
        }
        static std::uint64_t hash(const Edge& e) {
            std::uint64_t h = (std::uint64_t{e.thread} << 32 | (e.before ^ (e.now << 7))) * 0x9e3779b97f4a7c15u;
            h = (h ^ e.outcome.lo ^ (h >> 31)) * 0xbf58476d1ce4e5b9u;
            h = (h ^ e.outcome.hi ^ (e.outcome.undef_lo << 1) ^ (h >> 29)) * 0x94d049bb133111ebu;
            return h ^ (h >> 32);
        }
        std::vector<Slot> slots_;
        std::size_t size_ = 0;
    };
    [[gnu::always_inline]] Standing& find(Id thread, Id objects) { // several times for each action
        if (objects == usual_objects_ && thread < usual_count_ && usual_here_[thread]) {
            return *usual_here_[thread];
        }
        return find_slowly(thread, objects);
    }
    Standing& find_slowly(Id thread, Id objects);
    [[nodiscard]] static bool is_short(const Value& v) { return (v.hi | v.undef_lo | v.undef_hi) == 0; }
    /// `after`, where the edge is not with the others of its thread.
    Id after_slowly(Id thread, Id before, Id now, const Value& outcome);
    /// Makes the objects that are asked about most the usual ones.
    void count_unusual(Id objects);
    Id intern(const ThreadState& thread, Id like);
    /// What was interned, until the next call.
    std::span<const std::uint64_t> image(Id thread) {
        interner_.take(thread, image_);
        return image_;
    }
    Id make_done(const Value& result);
    [[nodiscard]] Id leaving(const Action& done, ThreadId id);
    Action run(ThreadState& thread, Id objects);

    Machine& machine_;
    LocalImages& interner_;
    ObjectTables& tables_;
    ThreadImages images_;
    std::unordered_map<std::uint64_t, Standing> standing_; ///< by thread and objects
    std::vector<Standing*> usual_;                         ///< by thread: those among the usual objects. Null: not met
    Standing** usual_here_ = nullptr;                      ///< where these are
    std::size_t usual_count_ = 0;
    Id usual_objects_ = ~Id{0};
    Id challenger_ = ~Id{0};                 ///< the objects that may become the usual ones
    unsigned asked_about_it_ = 0;            ///< more often than about all others, since it is the challenger
    EdgeTable edges_;                        ///< those that change the objects, and those for which Standing::edges has no room
    std::array<std::optional<Id>, 6> plain_; ///< by phase, as far as known
    std::optional<std::pair<Value, Id>> last_done_; ///< mostly the next too
    Words scratch_;
    Words image_; ///< of image()
    bool looped_ = false;
};

template <class F> Threads::Id Threads::changed(Id thread, std::uint32_t next_heap, std::uint32_t next_stack, F&& change) {
    const auto words = image(thread);
    if (static_cast<ThreadPhase>(words[0]) == ThreadPhase::Leaving) {
        change(image_[2]);
        return interner_.intern(image_, thread);
    }
    ThreadState state = images_.decode(words.subspan(1));
    images_.each_word(state, change);
    state.next_heap_region = next_heap;
    state.next_stack_region = next_stack;
    state.stack_regions_wrapped = false;
    return intern(state, thread);
}

/// May this word be the address of a made object? (Which then has to be asked for.)
inline bool looks_like_made(std::uint64_t word) {
    const AddressKind kind = kind_of(without_tag(word));
    return kind == AddressKind::Heap || kind == AddressKind::Stack;
}

} // namespace heddle::stateful
