// Futures: which shared memory a thread may still access, from where it stands until it ends, the threads it will start included.
//
// An abstract interpretation of the code that is left (constant propagation along the branches that can be taken, as Wegman and Zadeck do it, but
// with one value a register for all of it): the registers of a thread's frames are known exactly, what is read from memory is not, calls are followed with what
// is known of their arguments. Memory that nobody writes after main has started its first thread is read as it is: such are the kinds of
// mutexes and the tables of handlers and destructors, without which every thread might call everything in the end. Which memory that is is found by
// assuming it of all and taking back what turns out to be written, until nothing does.
//
// With a lock *barred* the question is what the thread may do before it takes that lock: code behind a Lock of it does not count.
#pragma once

#include "machine/memory.hpp"
#include "machine/thread_state.hpp"
#include "program/liveness.hpp"
#include "search/stateful/pointees.hpp"

#include <map>
#include <memory>
#include <optional>

namespace heddle::stateful {

struct Future {
    NumberSet reads{};
    NumberSet writes{};             ///< the end of a made object counts as a write of Cells::kMade
    NumberSet plain_reads{};        ///< those of `reads` that are not atomic
    NumberSet plain_writes{};       ///< those of `writes`; the end of an object is none
    bool returns = false;           ///< of the rest of an activation: it may come to its end
    std::vector<Address> unlocks{}; ///< locks that it may release, where they are known; ascending
    Word result{};                  ///< of the rest of an activation: all that it may return

    void add(const Future& other);
};

class Futures {
  public:
    using Barred = std::optional<Address>;

    /// `main`, `memory`: the program before its first thread is started.
    Futures(const Program& program, const ThreadState& main, const Memory& memory);

    /// Stays where it is until this goes. The thread has frames.
    const Future& of(const ThreadState& thread, Barred barred);
    [[nodiscard]] const Cells& cells() const { return cells_; }

  private:
    friend class Walk;
    using Key = std::vector<std::uint64_t>;

    /// The function from its beginning.
    const Future& call(std::size_t function, std::vector<Word> arguments, Barred barred);
    /// Whatever may be called with so many arguments by an address that is not known.
    void call_unknown(std::size_t arguments, Barred barred, Future& into);
    [[nodiscard]] Future everything() const;
    /// Registers that addresses and arguments are computed from; the others need not be known.
    const std::vector<bool>& relevant(const Function& function);
    [[nodiscard]] Word seed(std::uint64_t value) const;
    Future rest(const ThreadState& thread, Barred barred);
    void add_cells(const Word& pointer, std::uint64_t size, NumberSet& to) const;
    /// What may be read there, `width` bits of it.
    [[nodiscard]] Word loaded(const Word& pointer, unsigned size, unsigned width) const;
    [[nodiscard]] bool is_constant(const NumberSet& cells) const { return !written_.intersects(cells); }
    void find_addressed_functions();

    const Program& program_;
    Cells cells_;
    LiveSets live_;
    Escaping escaping_;
    NumberSet unknown_;                              ///< cells that an unknown pointer may point to
    NumberSet written_;                              ///< cells that somebody may write once there are threads
    std::vector<std::vector<std::uint8_t>> initial_; ///< by global: its bytes before there are threads. Empty: some are undefined
    std::vector<std::size_t> addressed_;             ///< functions whose address is somewhere
    std::map<const Function*, std::vector<bool>> relevant_;
    std::map<Key, std::unique_ptr<Future>> calls_; ///< null: being found
    std::map<std::size_t, unsigned> variants_;     ///< of a function: how many of `calls_` are its
    std::map<Key, std::unique_ptr<Future>> threads_;
};

} // namespace heddle::stateful
