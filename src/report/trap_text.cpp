#include "report/trap_text.hpp"

#include <fmt/format.h>
#include <iterator>

namespace heddle {
namespace {

/// "file.c:12:5 in function"
std::string where(const Program& program, PlaceId place) {
    std::string text = to_string(program, place);
    const Place& p = program.places[place.index];
    if (p.function < program.names.size() && !program.names[p.function].empty()) {
        text += " in " + program.names[p.function];
    }
    return text;
}

const char* noun(ObjectKind kind) {
    switch (kind) {
    case ObjectKind::Global:
        return "global variable";
    case ObjectKind::Heap:
        return "heap object";
    case ObjectKind::Stack:
        return "local variable";
    case ObjectKind::ThreadLocal:
        return "thread-local variable";
    }
    return "object";
}

void describe_object(const Program& program, const ObjectNote& o, std::string& out) {
    auto to = std::back_inserter(out);
    fmt::format_to(to, "  the {}{} has {} byte{}; the access is at offset {}\n", noun(o.kind),
                   o.name.empty() ? "" : " '" + o.name + "'", o.size, o.size == 1 ? "" : "s", o.offset);
    if (o.allocated != PlaceId{}) {
        const bool made = o.kind == ObjectKind::Heap;
        fmt::format_to(to, "  {} at {}\n", made ? "allocated" : "declared", where(program, o.allocated));
    }
    if (o.freed != PlaceId{}) {
        fmt::format_to(to, "  freed at {}\n", where(program, o.freed));
    }
}

void describe_stack(const Program& program, const std::vector<PlaceId>& stack, std::string& out) {
    auto to = std::back_inserter(out);
    constexpr std::size_t kShown = 8;
    for (std::size_t k = 0; k < stack.size() && k < kShown; ++k) {
        fmt::format_to(to, "  {} {}\n", k == 0 ? "at" : "called from", where(program, stack[k]));
        // What clang inlined is shown as the calls it was.
        for (PlaceId p = program.places[stack[k].index].inlined_at; p != PlaceId{}; p = program.places[p.index].inlined_at) {
            fmt::format_to(to, "  called from {}\n", where(program, p));
        }
    }
    if (stack.size() > kShown) {
        fmt::format_to(to, "  called from more functions, not shown\n");
    }
}

} // namespace

std::string describe(const Program& program, const Trap& trap, ThreadId thread) {
    std::string out =
        fmt::format("{}: {} (thread {}{})\n", word_of(trap.kind), trap.message, thread.index, thread.index == 0 ? ", main" : "");
    describe_stack(program, trap.stack, out);
    if (trap.object) {
        describe_object(program, *trap.object, out);
    }
    return out;
}

} // namespace heddle
