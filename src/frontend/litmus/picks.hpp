// Picks: AArch64's "pick" dependencies, of what a selection (CSEL) or comparison (CAS) decides without a branch.
//
// The Arm Architecture Reference Manual, B2.3: the value that CSEL selects depends on the register selected as usual; on what decides it depends
// less: only writes are ordered by it, those that use the value as data, as address, behind a use as address, or behind a branch on it, and also
// when the value went through memory inside the thread. A write that has nothing to do with it is not ordered.
//
// For models that is a control dependency of just those writes. Each register gets a shadow, a slot whose value is always 0 and which depends on the
// reads that decided the register's value. A write whose data has a shadow is made "as if behind a branch on it": its control dependencies are
// extended by the shadow's (an assumption that always holds) and go back behind it (ControlMark, ControlEnd). A shadow of an address or of a
// branch's condition, or of what an acquire reads, stays in the control dependencies. A load takes the shadow of the last write of its own thread to its address: if it
// reads from a later write of another thread instead, it comes after the first anyway.
//
// Only threads that select or compare like this are tracked. In a loop, a load does not see the shadow of a write that stands behind it.
#pragma once

#include "frontend/litmus/thread_builder.hpp"

#include <map>
#include <optional>
#include <vector>

namespace heddle::litmus {

class Picks {
  public:
    explicit Picks(ThreadBuilder& code) : code_(&code) {}

    // What an instruction does, in this order; `begin` before each.
    void begin();
    void reads(Slot reg) { (in_address_ ? address_ : data_).push_back(shadow(reg)); }
    void in_address(bool inside) { in_address_ = inside; }
    /// Before any access: the shadow of its address decides everything behind it.
    void accesses();
    /// The value at `address` is the result: its shadow is the result's.
    void loads(Slot address);
    /// The load was an acquire: later writes come after it, and so after what decided the value.
    void acquires() { decide(result()); }
    /// Around a write: `mark` is what begin_write gave.
    Slot begin_write();
    void end_write(Slot mark, Slot address);
    /// A further shadow of what was written last.
    void add_to_last_write(Slot pick) { code_->move(written_.back().pick, both(written_.back().pick, pick)); }
    /// A branch on what was read.
    void branches() { decide(sources()); }

    /// The result depends on `pick` so: a shadow, or any slot with those dependencies (see `as_shadow`).
    void set_result(Slot pick) { result_ = pick; }
    void writes(Slot reg) { code_->move(shadow(reg), result()); }
    /// The flags are as registers are.
    void writes_flags() { code_->move(flags(), sources()); }
    void reads_flags() { data_.push_back(flags()); }
    Slot shadow_of_flags() { return flags(); }

    [[nodiscard]] Slot shadow(Slot reg);
    /// 0, depending on what `value` depends on.
    Slot as_shadow(Slot value) { return code_->bit_xor(value, value); }
    Slot both(Slot a, Slot b) { return code_->bit_or(a, b); }
    Slot none() { return code_->constant(0); }
    /// From here on, what happens depends on it.
    void decide(Slot pick) { code_->builtin(Builtin::Assume, {code_->equal(pick, pick)}); }

  private:
    struct Written {
        Slot address; ///< 0 before it is written
        Slot pick;
    };

    Slot flags();
    /// The shadows of what the instruction read as data.
    Slot sources() { return combine(data_); }
    Slot combine(const std::vector<Slot>& picks);
    Slot result() { return result_ ? *result_ : sources(); }

    ThreadBuilder* code_;
    std::map<Slot, Slot> shadows_;
    std::optional<Slot> flags_;
    std::vector<Written> written_; ///< by the instructions so far
    bool in_address_ = false;
    std::vector<Slot> data_;
    std::vector<Slot> address_;
    std::optional<Slot> result_;
    Slot write_pick_ = 0; ///< of the write that was begun
};

} // namespace heddle::litmus
