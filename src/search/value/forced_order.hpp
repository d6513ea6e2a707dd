// ForcedOrder: can a history have an execution at all? What must come before what, until that is a contradiction or nothing more follows.
//
// Of each access the accesses that certainly come before it are kept. Which store a read has read is not known; it is one of those of its value. One that comes after the read, or that has certainly
// been overwritten before it, is none. If there is no other, the history has no execution. If there is one, then the read comes after it (unless it may have read it from its thread's own buffer),
// before every store that comes later, and every other store that comes before the read comes before that one too. If there are several, what comes before
// all of them comes before the read.
//
// What "before" means is the model's. Of a machine with store buffers it is the order in which things happen (a store: reaches memory), one for all locations, which begins with program order as far
// as the buffers keep it. Under ra and rc11 there is no such order, and there are two. *Of one location*: coherence, with each read behind the write that it has read and before the next one, and
// reads of the same write as happens-before has them. That is an order, since happens-before and coherence never contradict each other (irreflexive hb ; eco?), and an update stands in it as one, right behind what it
// updates. All of the above is about accesses of one location, and so is said of this order. *Happens-before*, of all accesses: program order, starting and joining threads, and what a read that synchronises
// learns of the write that it has certainly read (`message`, as in model/happens_before.hpp; release sequences and fences too). Of two accesses of one location it is part of the other order. That is
// where one location tells about another.
//
// Under rc11 there is a third one, of seq_cst accesses (psc, which has no cycles): program order, happens-before of one location, and coherence and from-read, which is what comes before a *store* in the order of a
// location. It gives something back: if it has x before y, of one location, then a store x comes before y there too; else y would have read what x overwrites, or be overwritten by it, and come before x. So does a read x before
// a store y, if all stores there are seq_cst: else x has read y, or something behind it, and there is a way from y to x. Of seq_cst fences nothing is said, nor of psc through other accesses: less follows then, nothing wrong.
//
// Updates that replace a value need one store of it each. If there are only just enough, then in the end one of them has the last: all the others, and all stores of the value, come
// before it. If only one of them can be that (the others' threads have stored the value again: they have released the lock), it is. So who has a lock comes after all who have had it.
//
// What follows is kept as the history grows (Level). It is still so when there is more of the history: take what is new out of a run, and it is a run of the old
// history (under ra and rc11 an execution, whose happens-before is decided by what is in it). Unless somebody in the old history has read what is stored anew: then that may be where it has read it, and one goes back to what followed
// before that read (`ousts`). A read of the storing thread itself came earlier, so it does not count.
//
// Nothing is said of histories with more accesses than fit.
#pragma once

#include "model/store_buffer.hpp"
#include "search/value/history.hpp"
#include "search/value/known_execution.hpp"
#include "search/value/known_run.hpp"
#include "search/value/realizer.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace heddle {

struct Action;

/// Is the access seq_cst, whatever it finds?
bool is_seq_cst(const Action& access);

class ForcedOrder {
  public:
    /// What the model orders.
    struct Laws {
        std::optional<Buffer> buffer; ///< of the machine that it is; nothing: it is none, and has a happens-before
        bool all_synchronize = false; ///< of happens-before: whatever is read happens before
        bool orders_seq_cst = false;  ///< there is an order of seq_cst accesses besides
    };
    struct Ways {
        bool keep_levels = true; ///< what follows from a history is kept for those that go on with it
        bool decide = true;      ///< where that can be, it is found out whether there is an execution (forced_order_cases.cpp)
        bool check = false;      ///< that nothing is missing (is_closed)
    };
    ForcedOrder(const History& history, const Laws& laws, Realizer::Initial initial, const Ways& ways)
        : history_(history), is_machine_(laws.buffer.has_value()), all_synchronize_(laws.all_synchronize),
          orders_seq_cst_(laws.orders_seq_cst), buffer_(laws.buffer.value_or(Buffer::None)), initial_(std::move(initial)),
          keeps_levels_(ways.keep_levels), decides_(ways.decide && !is_machine_), checks_(ways.check) {}

    /// The thread's last operation is in the history.
    void pushed(ThreadId t) { pushed_.push_back(t); }
    /// Its last one, which is the last of all, is taken back.
    void pop(ThreadId t);

    /// Is nothing said of the history, or only of so much of it, because it is too long?
    [[nodiscard]] bool is_full() {
        catch_up();
        return accesses_.size() == kMost;
    }
    /// If the thread does `next`, which is not in the history and reads, after so much of it: is that certainly no history of any run? Pre: the history was once so long, on the
    /// way to what it is now, and the thread has done nothing since but, as the last of all, the reads and fences that are only `tried`: so many operations.
    [[nodiscard]] bool is_impossible(ThreadId t, const HistoryOp& next, const Lengths& lengths, std::uint32_t tried) {
        return ask(t, next, lengths, tried, nullptr) == Answer::No;
    }
    enum class Answer : std::uint8_t { No, Yes, Unknown };
    /// A run with the thread's next operation (forced_order_runs.cpp).
    struct RunSought {
        ThreadId thread;
        const HistoryOp& next;
        const Lengths& lengths;   ///< without it
        const KnownRun& known;    ///< the order of which is kept where nothing says otherwise
        std::vector<Moment>& run; ///< if it is found
    };
    /// The same; Yes: then there is certainly an execution, and here it is, if nothing is `tried` and `lengths` is the whole history. Of a machine without buffers: if a run is sought, and found.
    [[nodiscard]] Answer ask(ThreadId t, const HistoryOp& next, const Lengths& lengths, std::uint32_t tried,
                             KnownExecution::Saved* execution, RunSought* run = nullptr);
    /// Are runs found?
    [[nodiscard]] bool runs() const { return is_machine_ && buffer_ == Buffer::None; }
    /// Does no run of the history end with this value there?
    [[nodiscard]] bool cannot_end_with(LocationId l, ValueId v);

    // --- happens-before (forced_order_races.cpp)
    class Knowledge;
    /// Of a machine without buffers: does something come between any two accesses of a location by different threads, of which one is not seq_cst and one stores, in every run of the history at hand?
    [[nodiscard]] bool keeps_conflicts_apart();
    /// Finds what follows from the history at hand. False: nothing is known about the happens-before of C11. The following are about what was found then.
    bool settle();
    /// Do any two accesses of one location race in some execution? If not, no execution of the history has a race.
    [[nodiscard]] bool may_race() const;
    /// May it be so in some execution? `holds` is asked about what was found, and again with what follows from what reads that learn may have read, as long as it says yes.
    [[nodiscard]] bool may_hold(const std::function<bool()>& holds);
    /// What happens before whatever the thread would do before this operation, which may be its next one.
    [[nodiscard]] Knowledge known_before(OpAt at) const;
    /// The same when it has read `v` there. Nothing: it cannot.
    [[nodiscard]] std::optional<Knowledge> having_read(const Knowledge& known, LocationId l, ValueId v, bool acquires) const;
    /// Is it certain that the access happens before it, or after it?
    [[nodiscard]] bool is_ordered(const Knowledge& known, OpAt access) const;

  private:
    static constexpr std::uint32_t kMost = 128;
    static constexpr unsigned kManyCases = 200;           ///< of what reads may have read: then it is not known
    static constexpr std::uint32_t kInitial = kMost + 1;  ///< no access: what a location holds at first
    static constexpr std::uint32_t kNobody = 0xffff'ffff; ///< no thread
    /// A set of accesses.
    struct Set {
        std::array<std::uint64_t, kMost / 64> words{};
        /// Those before `n`.
        [[nodiscard]] static Set first(std::uint32_t n) {
            const auto word = [](std::uint32_t k) { return k >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << k) - 1; };
            return {{word(n), n <= 64 ? 0 : word(n - 64)}};
        }
        [[nodiscard]] bool has(std::uint32_t e) const { return ((words[e / 64] >> (e % 64)) & 1) != 0; }
        void insert(std::uint32_t e) { words[e / 64] |= std::uint64_t{1} << (e % 64); }
        void erase(std::uint32_t e) { words[e / 64] &= ~(std::uint64_t{1} << (e % 64)); }
        Set& operator|=(const Set& o) {
            words[0] |= o.words[0];
            words[1] |= o.words[1];
            return *this;
        }
        Set& operator&=(const Set& o) {
            words[0] &= o.words[0];
            words[1] &= o.words[1];
            return *this;
        }
        friend Set operator&(Set a, const Set& b) { return a &= b; }
        void remove(const Set& o) {
            words[0] &= ~o.words[0];
            words[1] &= ~o.words[1];
        }
        [[nodiscard]] bool empty() const { return (words[0] | words[1]) == 0; }
        [[nodiscard]] bool meets(const Set& o) const { return ((words[0] & o.words[0]) | (words[1] & o.words[1])) != 0; }
        /// Until `test` fails. Says whether it never has.
        template <class Test> bool all_of(const Test& test) const {
            for (std::uint32_t k = 0; k < words.size(); ++k) {
                for (std::uint64_t left = words[k]; left != 0; left &= left - 1) {
                    if (!test(k * 64 + static_cast<std::uint32_t>(std::countr_zero(left)))) {
                        return false;
                    }
                }
            }
            return true;
        }
        /// The same, the last ones first.
        template <class Test> bool all_of_backwards(const Test& test) const {
            for (std::uint32_t k = words.size(); k-- > 0;) {
                for (std::uint64_t left = words[k]; left != 0;) {
                    const auto bit = 63 - static_cast<std::uint32_t>(std::countl_zero(left));
                    if (!test(k * 64 + bit)) {
                        return false;
                    }
                    left &= ~(std::uint64_t{1} << bit);
                }
            }
            return true;
        }
    };
    struct Access {
        std::uint32_t thread;
        std::uint32_t op;
        std::uint32_t cell;
        std::uint32_t read;    ///< into the values of the cell
        std::uint32_t written; ///< the same
        bool reads;
        bool stores;
        bool plain;   ///< not atomic; of a machine: not seq_cst
        bool seq_cst; ///< if there is an order of these
        /// The first access of another thread that reads what this one stores, if it was there before it; else kMost.
        std::uint32_t ousts;
        /// The one before it in its thread, if program_order is that and what comes before that; else kMost.
        std::uint32_t previous;
        Set program_order; ///< before it
        Set buffered;      ///< of a read: earlier stores of its thread that may not be in memory
        // Of happens-before.
        Set message{};                ///< of a store: who reads it and synchronises learns of these and what happens before them
        std::uint32_t learner{kMost}; ///< of a read: the access of its thread that learns of them; kMost: none
        Set fenced{};                 ///< earlier reads of the thread whose learner it is, because of an acquire fence
        [[nodiscard]] bool replaces() const { return reads && stores && read != written; }
    };
    struct Cell {
        std::uint32_t initial = 0; ///< into values
        Set accesses;
        Set plain; ///< of them: those that are `plain`
        Set stores;
        Set reads;
        struct Content {
            ValueId value;
            Set stores; ///< of it
        };
        std::vector<Content> values;
    };
    /// What certainly comes before each access, and what after it. Transitive.
    struct Order {
        std::vector<Set> before;
        std::vector<Set> after;
        void clear() {
            before.clear();
            after.clear();
        }
    };
    struct Thread {
        std::uint32_t done = 0;
        std::uint32_t last = kMost; ///< its last access, if `always` is that and what comes before that
        Set always;                 ///< comes before whatever the thread does next
        Set pending;                ///< its stores that may not be in memory
        // Of happens-before.
        Set released; ///< what came before its last release fence
        Set unfenced; ///< its atomic reads since the last acquire fence that are no acquires
        Set fenced;   ///< such reads that the next access learns from, because an acquire fence is between
    };
    /// An operation of the history, with what was before it.
    struct Record {
        Thread thread;
        std::uint32_t accesses; ///< before it
        bool is_access;         ///< and fits
        bool is_fence;
        bool is_seq_cst;
        OpAt at;
    };
    /// What follows from some accesses.
    struct Facts {
        Order order;                       ///< of a machine: of all accesses; else of those of one location
        Order happens;                     ///< unless it is a machine
        Order sequence;                    ///< of seq_cst accesses, if the model has such an order
        std::vector<std::uint32_t> source; ///< of reads, if that is certain; else kMost. kInitial only if it is assumed
        Set taken;                         ///< stores that an update has certainly read
        Set unsure;                        ///< reads that may have read several, and learn
    };
    /// What follows from the first accesses.
    struct Level {
        bool known = false;
        bool impossible = false; ///< that is a contradiction. (Only of a machine that the model is not.)
        Facts facts;             ///< else
    };

    /// What a read may have read.
    struct Sources {
        Set stores;
        std::uint32_t count = 0; ///< of them
        std::uint32_t last = 0;  ///< of them
        bool initial = false;    ///< or what was there at first
        [[nodiscard]] bool are_several() const { return count > 1 || (count == 1 && initial); }
        void add(std::uint32_t store) {
            stores.insert(store);
            last = store;
            ++count;
        }
    };

    /// A run as far as it has got.
    struct Running {
        struct Thread {
            std::vector<std::uint32_t> accesses{}; ///< of the run
            std::uint32_t passed = 0;              ///< of these
            std::uint32_t done = 0;                ///< of its operations
            std::uint32_t all = 0;                 ///< the same in the end
            bool begun = false;
        };
        struct Memory {
            std::uint32_t store; ///< the last one; kMost: none
            std::uint32_t value; ///< of the cell
        };
        std::vector<Thread> threads{};
        std::vector<Memory> memory{}; ///< by cell
        std::vector<Set> readers{};   ///< by access: what has certainly read it
        Set past{};
    };

    /// Looks at what is in the history. Nothing is done before somebody asks: mostly nobody does before it is taken back.
    void catch_up();
    void add(ThreadId t);
    void drain(Thread& thread) const;
    void pass_fence(Thread& thread, const HistoryOp& op) const;
    void synchronise(Thread& thread, const HistoryOp& op, Access& access) const;
    [[nodiscard]] Access access_of(Thread& thread, ThreadId t, const HistoryOp& op);
    std::uint32_t cell_of(LocationId l);
    /// Its place among the values of the cell.
    static std::uint32_t value_of(Cell& cell, ValueId v);
    void insert(std::uint32_t e);
    void erase(std::uint32_t e);
    void set_learner(const Set& reads, std::uint32_t learner);
    /// The longest level that is kept and still holds when there are so many accesses.
    [[nodiscard]] std::uint32_t level_for(std::uint32_t count, std::uint32_t ousts) const;
    /// Of these accesses; what follows from the first `from` of all is known. False: a contradiction.
    bool follow(std::uint32_t from, const Set& considered);
    void begin(std::uint32_t e);
    /// The same of the first `count`, kept.
    bool follow_all(std::uint32_t count);
    /// The same of the first `count`, of `tried` and `next`. `decide`: No, Yes or Unknown as in `ask`; else Unknown: no contradiction.
    Answer follow_with(const Access& next, std::uint32_t count, const Set& tried, bool decide, KnownExecution::Saved* execution,
                       RunSought* run);
    /// If `next` comes after the first `count` accesses, has all that it could read certainly been overwritten? What follows from the first `level` says so. Pre: that is known, and still holds.
    [[nodiscard]] bool has_no_source(const Access& next, std::uint32_t level, std::uint32_t count) const;
    // --- a run (forced_order_runs.cpp)
    /// Of what follows from the accesses considered, which is no contradiction. False: none was found.
    bool find_run(RunSought& sought);
    bool advance(RunSought& sought, std::uint32_t t);
    bool pass_others(RunSought& sought, std::uint32_t t, std::uint32_t until);
    /// Pre: all that comes before it is over, and it finds its value.
    void pass(RunSought& sought, Running::Thread& thread, std::uint32_t e);
    [[nodiscard]] bool is_ready(std::uint32_t e) const;
    [[nodiscard]] const HistoryOp& op_of(const RunSought& sought, std::uint32_t t, std::uint32_t op) const;
    // --- is there an execution? (forced_order_cases.cpp)
    /// Does all that an execution must satisfy follow from what is looked at here?
    [[nodiscard]] bool says_all(const HistoryOp& next) const;
    /// Of what follows from the accesses considered, which is no contradiction.
    Answer decide(unsigned& cases, std::size_t depth);
    /// Which read may have read several stores, or one of them or the first value? kMost: none. `sources`: of it.
    [[nodiscard]] std::uint32_t find_undecided(Sources& sources) const;
    /// Has nobody read what needs the read?
    [[nodiscard]] bool is_grounded() const;
    void note_execution(KnownExecution::Saved& execution) const;
    bool saturate();
    [[nodiscard]] bool is_settled(std::uint32_t r, std::uint32_t store, bool chains) const;
    /// Does nothing follow from what was found, whatever read or update is looked at again?
    [[nodiscard]] bool is_closed();
    /// `a` comes before `b`; unless this is a machine, they are accesses of one location. False: that is a contradiction.
    bool order(std::uint32_t a, std::uint32_t b);
    /// In one of them. What comes later is touched.
    bool put_before(Order& order, std::uint32_t a, std::uint32_t b);
    bool look_at_sequence(std::uint32_t e);
    /// `a` happens before `b`.
    bool happen(std::uint32_t a, std::uint32_t b);
    /// `r` has certainly read `source`: what it learns happens before.
    bool learn(std::uint32_t r, std::uint32_t source);
    /// It has read one of these.
    bool learn_what_all_tell(std::uint32_t r, const Set& sources);
    [[nodiscard]] Set message_of(std::uint32_t store) const;
    /// With what happens before them.
    [[nodiscard]] Set closed(const Set& accesses) const;
    [[nodiscard]] bool tells_too_much(std::uint32_t r, std::uint32_t source) const;
    [[nodiscard]] Sources sources_of(std::uint32_t r) const;
    bool look_at_read(std::uint32_t r);
    bool have_read(std::uint32_t r, std::uint32_t source);
    bool have_read_initial(std::uint32_t r);
    bool come_after_all(std::uint32_t r, const Set& sources);
    bool look_at_update(std::uint32_t u);
    /// Goes on with `r`, of which that is not certain, having read this. False: a contradiction.
    bool assume(std::uint32_t r, std::uint32_t source);
    /// May it be so if `r` has read this? What was found before is found again afterwards.
    bool may_hold_reading(std::uint32_t r, std::uint32_t source, const std::function<bool()>& holds, unsigned& cases);
    bool may_hold(const std::function<bool()>& holds, unsigned& cases);
    [[nodiscard]] Set stores_of(std::uint32_t e) const { return cells_[accesses_[e].cell].stores & considered_; }
    [[nodiscard]] Set stores_of_value(std::uint32_t e, std::uint32_t value) const {
        return cells_[accesses_[e].cell].values[value].stores & considered_;
    }

    const History& history_;
    bool is_machine_;
    bool all_synchronize_;
    bool orders_seq_cst_;
    Buffer buffer_; ///< None, unless it is a machine
    Realizer::Initial initial_;
    bool keeps_levels_;
    bool decides_;
    bool checks_;
    // The history.
    std::uint32_t fences_ = 0;     ///< in it
    std::uint32_t seq_csts_ = 0;   ///< operations that are
    std::vector<ThreadId> pushed_; ///< who did what is in it, in the order in which it was added
    std::vector<Record> records_;  ///< of as many of these as were looked at
    std::vector<Access> accesses_; ///< the same
    std::vector<Thread> threads_;
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> cell_of_; ///< by location: index into cells_ plus one; 0: none
    std::vector<Level> levels_;          ///< by the number of accesses
    Set seq_cst_;                        ///< of the accesses
    // A question.
    Facts facts_;
    Set considered_;                   ///< the accesses that it is about
    Set touched_;                      ///< what comes before them has changed, and what follows from that was not looked at
    bool chains_ = false;              ///< nor what follows from what updates were found to have read
    Running running_;                  ///< of find_run
    std::vector<Facts> undecided_;     ///< of decide: before each choice
    std::vector<std::uint32_t> hints_; ///< by access: what it has read in the last execution found
};

/// What a thread knows at some point of its history, for certain, if it has read something there that is in no history.
class ForcedOrder::Knowledge {
    friend class ForcedOrder;
    Set past;   ///< happens before
    Set future; ///< happens after
};

} // namespace heddle
