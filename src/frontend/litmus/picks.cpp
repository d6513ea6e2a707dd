#include "frontend/litmus/picks.hpp"

#include <ranges>

namespace heddle::litmus {

void Picks::begin() {
    in_address_ = false;
    data_.clear();
    address_.clear();
    result_.reset();
}

Slot Picks::shadow(Slot reg) {
    const auto known = shadows_.find(reg);
    return known != shadows_.end() ? known->second : shadows_[reg] = code_->variable(0);
}

Slot Picks::flags() {
    if (!flags_) {
        flags_ = code_->variable(0);
    }
    return *flags_;
}

Slot Picks::combine(const std::vector<Slot>& picks) {
    Slot all = none();
    for (const Slot p : picks) {
        all = both(all, p);
    }
    return all;
}

void Picks::accesses() { decide(combine(address_)); }

void Picks::loads(Slot address) {
    const Slot found = code_->variable(0);
    const ThreadBuilder::Label done = code_->label();
    const Slot before = code_->control_mark(); // which write it is says nothing about what comes behind
    code_->move(found, none());
    for (const Written& w : std::views::reverse(written_)) {
        const ThreadBuilder::Label other = code_->label();
        code_->branch(code_->negate_bit(code_->equal(w.address, address)), other);
        code_->move(found, w.pick);
        code_->jump(done);
        code_->bind(other);
    }
    code_->bind(done);
    code_->control_end(before);
    result_ = found;
}

Slot Picks::begin_write() {
    write_pick_ = sources();
    const Slot before = code_->control_mark();
    decide(write_pick_);
    return before;
}

void Picks::end_write(Slot mark, Slot address) {
    code_->control_end(mark);
    const Written w{code_->variable(0), code_->variable(0)};
    code_->move(w.address, address);
    code_->move(w.pick, both(write_pick_, combine(address_)));
    written_.push_back(w);
}

} // namespace heddle::litmus
