// Random programs: as text, and smaller.
#include "random_program.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>

namespace heddle::testing_support {
namespace {

using Kind = Operation::Kind;

std::string_view sign_of(Wait wait) {
    constexpr std::array<std::string_view, 7> kSigns{"?", "==", "!=", "<", "<=", ">", ">="};
    return kSigns[static_cast<std::size_t>(wait)];
}

std::string words_of_fence(const Operation& o) {
    switch (o.fence) {
    case FenceKind::C11:
        return fmt::format("fence {}", word_of(o.order));
    case FenceKind::MFence:
        return "mfence";
    case FenceKind::SFence:
        return "sfence";
    case FenceKind::LFence:
        return "lfence";
    default:
        return o.fence == FenceKind::DmbSt ? "dmb st" : "dmb sy";
    }
}

std::string to_text(const Operation& o, const std::string& indent) {
    constexpr std::array kParts{"", "", ".low", ".high"};
    const std::string unguarded = o.through && !o.guarded ? " even if null" : "";
    const std::string where = o.through ? fmt::format("p{}->data{}", *o.through, unguarded)
                                        : fmt::format("g{}{}{}", o.location, kParts[static_cast<std::size_t>(o.part)],
                                                      o.by_address ? " (the next one if last != 0)" : "");
    const std::string shelf = o.through ? fmt::format("p{}->link{}", *o.through, unguarded) : fmt::format("shelf{}", o.location);
    const std::string pointer = fmt::format("p{}", o.pointer);
    const std::string other = fmt::format("p{}", 1 - o.pointer);
    const std::string value = o.stores_last ? "last" : std::to_string(o.value);
    const std::string until = fmt::format("until {} {}", sign_of(o.wait), o.operand);
    const char* const update = o.rmw == RmwOp::Add ? "add" : "xchg";
    switch (o.kind) {
    case Kind::Load:
        return fmt::format("{}last = load {} {}\n", indent, where, word_of(o.order));
    case Kind::Store:
        return fmt::format("{}store {} {} {}\n", indent, where, value, word_of(o.order));
    case Kind::Rmw:
        return fmt::format("{}last = {} {} {} {}\n", indent, update, where, value, word_of(o.order));
    case Kind::CompareExchange:
        return fmt::format("{}last = cas {} {} -> {} {}\n", indent, where, o.expects_last ? "last" : std::to_string(o.expected),
                           value, word_of(o.order));
    case Kind::Fence:
        return indent + words_of_fence(o) + "\n";
    case Kind::Section:
    case Kind::If: {
        std::string text = o.kind == Kind::Section ? indent + "atomically\n" : fmt::format("{}if last == {}\n", indent, o.value);
        for (const Operation& inner : o.body) {
            text += to_text(inner, indent + "  ");
        }
        return text;
    }
    case Kind::Lock:
        return indent + "lock\n";
    case Kind::TryLock:
        return indent + "last = trylock\n";
    case Kind::Unlock:
        return indent + "unlock\n";
    case Kind::WaitLoad:
    case Kind::Spin:
        return fmt::format("{}last = {} {} {} {}\n", indent, o.kind == Kind::Spin ? "spin" : "wait_load", where, word_of(o.order),
                           until);
    case Kind::Retry: {
        std::string text = fmt::format("{}do last = first = load {} {}{}\n", indent, where, word_of(o.order),
                                       o.again == Operation::Again::Until ? ", " + until + " or" : "");
        for (const Operation& inner : o.body) {
            text += to_text(inner, indent + "  ");
        }
        if (o.again == Operation::Again::Pair || o.again == Operation::Again::PairExchange) {
            text += fmt::format("{}until first, last is one of", indent);
            for (unsigned k = 0; k < 9; ++k) {
                text += ((o.pairs >> k) & 1u) != 0 ? fmt::format(" {},{}", k / 3, k % 3) : "";
            }
            return text + (o.again == Operation::Again::Pair
                               ? "\n"
                               : fmt::format(" and cas {} last -> {} {} succeeds\n", where, value, word_of(o.order)));
        }
        return text + indent +
               (o.again == Operation::Again::Exchange
                    ? fmt::format("until cas {} first -> {} {} succeeds\n", where, value, word_of(o.order))
                : o.again == Operation::Again::Same ? fmt::format("until first == load {} {}\n", where, word_of(o.order))
                                                    : fmt::format("{}\n", until));
    }
    case Kind::WaitRmw:
        return fmt::format("{}last = wait_{} {} {} {} {}\n", indent, update, where, value, word_of(o.order), until);
    case Kind::Choose:
        return fmt::format("{}last = choose below {}\n", indent, o.value);
    case Kind::Check:
        return fmt::format("{}fail{} if last == {}\n", indent, o.stores_last ? " (a division)" : "", o.value);
    case Kind::Alloc:
    case Kind::Local:
        return fmt::format("{}{} = {}{}\n", indent, pointer, o.kind == Kind::Local ? "local" : "alloc",
                           o.zeroed ? "" : ", undefined");
    case Kind::Leave:
        return indent + "locals end\n";
    case Kind::Free:
        return fmt::format("{}free {}\n", indent, pointer);
    case Kind::Put:
        return fmt::format("{}store {} {} {}\n", indent, shelf, pointer, word_of(o.order));
    case Kind::Take:
        return fmt::format("{}{} = load {} {}\n", indent, pointer, shelf, word_of(o.order));
    case Kind::Swap:
        return fmt::format("{}{} = xchg {} {} {}\n", indent, pointer, shelf, pointer, word_of(o.order));
    case Kind::Offer:
        return fmt::format("{}last = cas {} {} -> {} {}\n", indent, shelf, other, pointer, word_of(o.order));
    case Kind::Forget:
        return fmt::format("{}{} = null\n", indent, pointer);
    case Kind::Same:
        return fmt::format("{}last = {} {} {}\n", indent, pointer, o.stores_last ? "<" : "==", other);
    }
    return "";
}

/// Every operation with what it takes to replace it in a copy of its program: where it stands.
struct Spot {
    std::size_t list;                    ///< a thread; after the last thread: after_join
    std::size_t at;                      ///< in the list
    std::optional<std::size_t> inside{}; ///< in the body of that operation
};

Operations& list_of(RandomProgram& p, std::size_t list) {
    return list < p.threads.size() ? p.threads[list].operations : p.after_join;
}

std::vector<Spot> spots(RandomProgram& p) {
    std::vector<Spot> all;
    for (std::size_t list = 0; list <= p.threads.size(); ++list) {
        const Operations& operations = list_of(p, list);
        for (std::size_t at = 0; at < operations.size(); ++at) {
            all.push_back({list, at});
            for (std::size_t inside = 0; inside < operations[at].body.size(); ++inside) {
                all.push_back({list, at, inside});
            }
        }
    }
    return all;
}

Operation& operation_at(RandomProgram& p, const Spot& s) {
    Operation& o = list_of(p, s.list)[s.at];
    return s.inside ? o.body[*s.inside] : o;
}

/// Smaller programs without something of `p`, the ones that lose most first.
std::vector<RandomProgram> with_less(RandomProgram& p) {
    std::vector<RandomProgram> all;
    for (std::size_t t = 0; t < p.threads.size() && p.threads.size() > 1; ++t) {
        RandomProgram& next = all.emplace_back(p);
        next.threads.erase(next.threads.begin() + static_cast<std::ptrdiff_t>(t));
        next.threads.front().spawned_after.reset();
    }
    if (p.joins) {
        RandomProgram& next = all.emplace_back(p);
        next.joins = false;
        next.after_join.clear();
    }
    for (const Spot& s : spots(p)) {
        RandomProgram& next = all.emplace_back(p);
        Operations& operations = list_of(next, s.list);
        Operations& from = s.inside ? operations[s.at].body : operations;
        from.erase(from.begin() + static_cast<std::ptrdiff_t>(s.inside.value_or(s.at)));
        if (!s.inside && !operation_at(p, s).body.empty()) { // what is in a branch, without the branch
            RandomProgram& opened = all.emplace_back(p);
            Operations& list = list_of(opened, s.list);
            const Operations body = list[s.at].body;
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(s.at));
            list.insert(list.begin() + static_cast<std::ptrdiff_t>(s.at), body.begin(), body.end());
        }
    }
    return all;
}

/// The same operation with one thing simpler.
std::vector<Operation> simpler(const Operation& o) {
    std::vector<Operation> all;
    const auto offer = [&](auto&& change) {
        Operation next = o;
        change(next);
        if (next != o) {
            all.push_back(next);
        }
    };
    const bool access = o.kind == Kind::Load || o.kind == Kind::Store;
    if (o.kind == Kind::Rmw || o.kind == Kind::CompareExchange || o.kind == Kind::WaitLoad) {
        offer([](Operation& n) {
            n.kind = Kind::Load;
            n.order = Order::Relaxed;
            n.wait = Wait::None;
        });
    }
    if (o.kind == Kind::CompareExchange) {
        offer([](Operation& n) { n.kind = Kind::Rmw; });
    }
    if (o.kind == Kind::Spin) {
        offer([](Operation& n) { n.kind = Kind::WaitLoad; });
    }
    if (o.kind == Kind::Retry && o.again == Operation::Again::Same && o.body.empty()) {
        offer([](Operation& n) { n.kind = Kind::Load; });
    }
    if (o.again == Operation::Again::PairExchange) {
        offer([](Operation& n) { n.again = Operation::Again::Pair; });
    }
    for (unsigned k = 0; k < 9; ++k) {
        offer([&](Operation& n) { n.pairs &= static_cast<std::uint16_t>(~(1u << k)); });
    }
    if (o.kind == Kind::Fence) {
        offer([](Operation& n) { n.fence = FenceKind::C11; });
    } else if (o.order != Order::NonAtomic && o.order != Order::Relaxed) {
        offer([](Operation& n) { n.order = Order::Relaxed; });
        if (o.order == Order::SeqCst && (access || o.kind == Kind::Rmw || o.kind == Kind::CompareExchange)) {
            offer(
                [&](Operation& n) { n.order = access ? o.kind == Kind::Load ? Order::Acquire : Order::Release : Order::AcqRel; });
        }
    } else if (o.order == Order::NonAtomic) {
        offer([](Operation& n) { n.order = Order::Relaxed; }); // the usual word, if it makes no difference
    }
    if (o.kind == Kind::Swap || o.kind == Kind::Offer) {
        offer([](Operation& n) {
            n.kind = Kind::Take;
            n.order = Order::Relaxed;
        });
        offer([](Operation& n) {
            n.kind = Kind::Put;
            n.order = Order::Relaxed;
        });
    }
    if (o.kind == Kind::Local) {
        offer([](Operation& n) { n.kind = Kind::Alloc; });
    }
    offer([](Operation& n) { n.through.reset(); });
    offer([](Operation& n) { n.guarded = true; });
    offer([](Operation& n) { n.zeroed = true; });
    offer([](Operation& n) { n.pointer = 0; });
    offer([](Operation& n) { n.by_address = false; });
    offer([](Operation& n) { n.stores_last = false; });
    offer([](Operation& n) { n.expects_last = false; });
    offer([](Operation& n) { n.location = 0; });
    if (o.value > 1) {
        offer([](Operation& n) { n.value = 1; });
    }
    return all;
}

/// Programs of the same operations, one of them or something about threads simpler.
std::vector<RandomProgram> simplified(RandomProgram& p) {
    std::vector<RandomProgram> all;
    for (std::size_t t = 0; t < p.threads.size(); ++t) {
        if (p.threads[t].spawned_after) {
            all.emplace_back(p).threads[t].spawned_after.reset();
        }
    }
    const auto uses_shelf = [](const Operation& o) {
        return !o.through && (o.kind == Kind::Put || o.kind == Kind::Take || o.kind == Kind::Swap || o.kind == Kind::Offer);
    };
    if (p.shelves > 0 && !any_operation(p, uses_shelf)) {
        all.emplace_back(p).shelves = 0;
    }
    for (const Spot& s : spots(p)) {
        for (const Operation& o : simpler(operation_at(p, s))) {
            operation_at(all.emplace_back(p), s) = o;
        }
    }
    return all;
}

bool any_of_these(const Operations& all, const std::function<bool(const Operation&)>& is) {
    return std::ranges::any_of(all, [&](const Operation& o) { return is(o) || any_of_these(o.body, is); });
}

} // namespace

std::string to_text(const RandomProgram& program) {
    std::string text;
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
        const RandomThread& thread = program.threads[t];
        const bool nested = t > 0 && thread.spawned_after;
        text +=
            fmt::format("thread {}{}\n", t,
                        nested ? fmt::format(", spawned by thread {} after {} operations", t - 1, *thread.spawned_after) : "");
        for (const Operation& o : thread.operations) {
            text += to_text(o, "  ");
        }
    }
    if (program.joins) {
        text += "main, after joining those it spawned\n";
        for (const Operation& o : program.after_join) {
            text += to_text(o, "  ");
        }
    }
    return text;
}

bool any_operation(const RandomProgram& program, const std::function<bool(const Operation&)>& is) {
    return std::ranges::any_of(program.threads, [&](const RandomThread& t) { return any_of_these(t.operations, is); }) ||
           any_of_these(program.after_join, is);
}

RandomProgram shrink(RandomProgram program, const std::function<bool(const RandomProgram&)>& fails) {
    for (;;) {
        std::vector<RandomProgram> candidates = with_less(program);
        std::ranges::move(simplified(program), std::back_inserter(candidates));
        const auto next = std::ranges::find_if(candidates, fails);
        if (next == candidates.end()) {
            return program;
        }
        program = *next;
    }
}

} // namespace heddle::testing_support
