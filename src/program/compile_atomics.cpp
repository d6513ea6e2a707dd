#include "program/compile_atomics.hpp"

#include "program/targets.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace heddle {
namespace {

Instr fence(FenceKind kind, Order order) {
    return {Op::Fence, 0, 0, 0, Instr::pack(static_cast<std::uint16_t>(order), static_cast<std::uint16_t>(kind), 0, 0)};
}

/// With a branch behind it. A compare-exchange always has one, in its loop: whether it writes, and so what follows, depends on what it reads.
Instr deciding(Instr i) {
    i.imm |= std::uint64_t{kDecides} << 16;
    return i;
}

/// What stands in for one instruction.
struct Compiled {
    std::optional<Instr> before;
    Instr instr;
    std::optional<Instr> behind;
    std::optional<Slot> only_if; ///< `behind` is executed only when this slot is not zero
};

Instr compiled_fence(const Instr& i, Architecture architecture) {
    const auto order = static_cast<Order>(i.c());
    const auto kind = static_cast<FenceKind>(i.d());
    const bool power = architecture == Architecture::Power;
    const FenceKind full = power ? FenceKind::Sync : FenceKind::DmbSy;
    if (kind != FenceKind::C11) {
        return is_full(kind) ? fence(full, order) : i;
    }
    if (order == Order::SeqCst || (!power && order != Order::Acquire)) {
        return fence(full, order);
    }
    return fence(power ? FenceKind::LwSync : FenceKind::DmbLd, order);
}

/// Fences around an access of this order, on POWER.
void surround(Compiled& c, Order order, bool reads, bool writes) {
    if (order == Order::SeqCst) {
        c.before = fence(FenceKind::Sync, Order::SeqCst);
    } else if (writes && is_release(order)) {
        c.before = fence(FenceKind::LwSync, Order::AcqRel);
    }
    if (reads && is_acquire(order)) {
        c.behind = fence(FenceKind::ISync, Order::Relaxed);
    }
}

class PowerCompiler {
  public:
    explicit PowerCompiler(const Function& f) : f_(f) {}

    [[nodiscard]] Compiled compile(const Instr& i) const {
        Compiled c{.before = {}, .instr = i, .behind = {}, .only_if = {}};
        switch (i.op) {
        case Op::Load:
            surround(c, order_of(i), true, false);
            break;
        case Op::Store:
            surround(c, order_of(i), false, true);
            break;
        case Op::Rmw:
            surround(c, order_of(i), true, true);
            break;
        case Op::CmpXchg:
            surround(c, order_of(i), true, true);
            if (c.behind && !is_acquire(static_cast<Order>(i.f() & 0xff))) {
                // One that fails leaves the loop before the isync. Where nobody asks for success, the isync is left out altogether.
                if (i.dst == kNoSlot) {
                    c.behind.reset();
                } else {
                    c.only_if = static_cast<Slot>(i.dst + (i.e() > 8 ? 2 : 1));
                }
            }
            break;
        case Op::Fence:
            c.instr = compiled_fence(i, Architecture::Power);
            return c;
        case Op::Builtin:
            surround_builtin(c, i);
            return c;
        default:
            return c;
        }
        if (c.behind || i.op == Op::CmpXchg) {
            c.instr = deciding(c.instr);
        }
        return c;
    }

  private:
    static Order order_of(const Instr& i) { return static_cast<Order>(i.d() & 0xff); }

    void surround_builtin(Compiled& c, const Instr& i) const {
        switch (static_cast<Builtin>(i.x())) {
        case Builtin::Lock:
        case Builtin::TryLock:
            surround(c, Order::Acquire, true, true);
            break;
        case Builtin::Unlock:
            surround(c, Order::Release, false, true);
            break;
        case Builtin::WaitLoad:
        case Builtin::WaitRmw: {
            const Slot s = f_.operands[i.y() + 2];
            // The runtime library writes the order as a constant; were it not one, the strongest would be assumed wrongly, so nothing is.
            if (s >= f_.first_constant) {
                const auto order = static_cast<Order>(f_.constants[s - f_.first_constant]);
                surround(c, order, true, static_cast<Builtin>(i.x()) == Builtin::WaitRmw);
            }
            break;
        }
        default:
            break;
        }
    }

    const Function& f_;
};

void compile_for_power(Function& f) {
    const PowerCompiler compiler(f);
    std::vector<Compiled> parts;
    bool changes = false;
    for (const Instr& i : f.code) {
        parts.push_back(compiler.compile(i));
        changes = changes || parts.back().before || parts.back().behind || i.op == Op::Fence || i.op == Op::CmpXchg;
    }
    if (!changes) {
        return;
    }
    const std::vector<PlaceId> places = std::exchange(f.places, {});
    std::vector<std::uint32_t> now;
    f.code.clear();
    std::vector<std::size_t> branches; // over a fence behind a compare-exchange: targets are final already
    for (std::size_t k = 0; k < parts.size(); ++k) {
        now.push_back(static_cast<std::uint32_t>(f.code.size()));
        const auto emit = [&](const Instr& i) {
            f.code.push_back(i);
            f.places.push_back(places[k]);
        };
        const Compiled& c = parts[k];
        if (c.before) {
            emit(*c.before);
        }
        emit(c.instr);
        if (c.behind && c.only_if) {
            branches.push_back(f.code.size());
            emit({Op::Br, 0, *c.only_if, 0, 0});
        }
        if (c.behind) {
            emit(*c.behind);
        }
    }
    map_targets(f.code, f.switches, [&](std::uint64_t target) { return now[target]; });
    for (const std::size_t b : branches) {
        f.code[b].imm = Instr::pack(static_cast<std::uint32_t>(b + 1), static_cast<std::uint32_t>(b + 2));
    }
}

} // namespace

void compile_atomics(Program& program, Architecture architecture) {
    for (Function& f : program.functions) {
        if (architecture == Architecture::Power) {
            compile_for_power(f);
        } else if (architecture == Architecture::AArch64) {
            for (Instr& i : f.code) {
                i = i.op == Op::Fence ? compiled_fence(i, architecture) : i.op == Op::CmpXchg ? deciding(i) : i;
            }
        }
    }
}

} // namespace heddle
