#include "frontend/generate/litmus_text.hpp"

#include "frontend/generate/column.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace heddle::generate {
namespace {

using Kind = Relation::Kind;

/// The columns of a test, and the final state that it asks for.
struct Draft {
    const Vocabulary& vocabulary;
    const Cycle& cycle;
    std::vector<std::unique_ptr<Column>> columns = {};
    std::vector<std::string> registers = {}; ///< the part of the condition that speaks of registers
    unsigned labels = 0;

    void expect(Column::Register reg, std::uint32_t value) {
        registers.push_back(fmt::format("{}:{}={}", columns.size() - 1, columns.back()->name(reg), value));
    }

    /// The part of a relation that stands before its target; what the target then leans on. `reg` is the source's register, if it reads.
    Column::Leaning lead_to(const Relation& relation, const Access& source, Column::Register reg) {
        Column& column = *columns.back();
        switch (relation.kind) {
        case Kind::Fence:
            column.fence(vocabulary.fences[relation.fence].instruction);
            return {};
        case Kind::Ctrl:
        case Kind::CtrlFence:
            column.branch(reg, source.value, fmt::format("LC{:02}", labels++));
            if (relation.kind == Kind::CtrlFence) {
                column.fence(vocabulary.control_fence_instruction);
            }
            return {};
        case Kind::Addr:
            return {.address = reg};
        case Kind::Data:
            return {.data = reg};
        default:
            return {};
        }
    }

    void write_thread(std::size_t first, std::size_t last) {
        columns.push_back(make_column(vocabulary.dialect));
        Column& column = *columns.back();
        Column::Register reg = 0;
        for (std::size_t k = first; k <= last; ++k) {
            const Access& access = cycle.accesses[k];
            const Column::Leaning leaning =
                k == first ? Column::Leaning{} : lead_to(cycle.relations[k - 1], cycle.accesses[k - 1], reg);
            if (access.direction == Direction::Write) {
                column.store(access.location, access.value, access.mark, leaning);
                continue;
            }
            reg = column.load(access.location, access.mark, leaning);
            if (access.fixed) {
                expect(reg, access.value);
            }
        }
        column.finish();
    }

    void write_observer(const Observer& observer) {
        columns.push_back(make_column(vocabulary.dialect));
        for (std::uint32_t value = observer.first; value <= observer.last; ++value) {
            expect(columns.back()->load(observer.location, kUnmarked, {}), value);
        }
        columns.back()->finish();
    }

    void write_all() {
        std::size_t first = 0;
        for (std::size_t k = 0; k < cycle.relations.size(); ++k) {
            if (cycle.relations[k].external) {
                write_thread(first, k);
                first = k + 1;
            }
        }
        for (const Observer& observer : cycle.observers) {
            write_observer(observer);
        }
    }
};

std::string condition(const Draft& draft) {
    std::vector<std::string> parts;
    for (std::uint32_t location = 0; location < draft.cycle.writes.size(); ++location) {
        if (draft.cycle.writes[location] > 1) {
            parts.push_back(fmt::format("{}={}", location_name(location), draft.cycle.writes[location]));
        }
    }
    parts.insert(parts.end(), draft.registers.begin(), draft.registers.end());
    // Never empty: an external communication is from or to a read of a written location, or joins two writes of one.
    return fmt::format("exists ({})\n", fmt::join(parts, " /\\ "));
}

/// Which register holds which address at the start.
std::string initial_registers(const Draft& draft) {
    std::string text;
    for (std::size_t thread = 0; thread < draft.columns.size(); ++thread) {
        const Column& column = *draft.columns[thread];
        std::vector<std::string> words;
        for (const auto& [location, reg] : column.locations()) {
            words.push_back(fmt::format("{}:{}={};", thread, column.name(reg), location_name(location)));
        }
        text += fmt::format("{}\n", fmt::join(words, " "));
    }
    return text;
}

std::string table(const Draft& draft) {
    std::vector<std::size_t> widths;
    std::size_t rows = 0;
    for (std::size_t thread = 0; thread < draft.columns.size(); ++thread) {
        const auto& lines = draft.columns[thread]->lines();
        std::size_t width = fmt::format("P{}", thread).size();
        for (const std::string& line : lines) {
            width = std::max(width, line.size());
        }
        widths.push_back(width);
        rows = std::max(rows, lines.size());
    }
    std::string text;
    for (std::size_t row = 0; row <= rows; ++row) {
        for (std::size_t thread = 0; thread < draft.columns.size(); ++thread) {
            const auto& lines = draft.columns[thread]->lines();
            const std::string cell = row == 0 ? fmt::format("P{}", thread) : row <= lines.size() ? lines[row - 1] : std::string();
            text += fmt::format("{} {:<{}} ", thread == 0 ? "" : "|", cell, widths[thread]);
        }
        text += ";\n";
    }
    return text;
}

std::string functions(const Draft& draft) {
    std::string text;
    for (std::size_t thread = 0; thread < draft.columns.size(); ++thread) {
        std::vector<std::string> parameters;
        for (const auto& [location, unused] : draft.columns[thread]->locations()) {
            parameters.push_back("atomic_int* " + location_name(location));
        }
        text += fmt::format("\nP{} ({}) {{\n{}\n}}\n", thread, fmt::join(parameters, ", "),
                            fmt::join(draft.columns[thread]->lines(), "\n"));
    }
    return text + "\n";
}

std::string zeros(const Draft& draft) {
    std::string text;
    for (std::uint32_t location = 0; location < draft.cycle.writes.size(); ++location) {
        text += fmt::format("[{}] = 0; ", location_name(location));
    }
    return fmt::format("{{ {}}}\n", text);
}

} // namespace

std::expected<std::string, Diagnostic> litmus_text(const Vocabulary& vocabulary, const Cycle& cycle) {
    Draft draft{.vocabulary = vocabulary, .cycle = cycle};
    draft.write_all();
    for (std::size_t thread = 0; thread < draft.columns.size(); ++thread) {
        if (!draft.columns[thread]->fits()) {
            return std::unexpected(
                Diagnostic{.kind = Diagnostic::Kind::BadInput,
                           .message = fmt::format("{}: thread {} would need more than the {} registers of {}", cycle.name, thread,
                                                  draft.columns[thread]->capacity(), vocabulary.word)});
        }
    }
    const std::string spelled = to_string(vocabulary, cycle);
    std::string text = fmt::format("{} {}\n\"{}\"\nCycle={}\n", vocabulary.word, cycle.name, spelled, spelled);
    switch (vocabulary.dialect) {
    case Dialect::C:
        text += zeros(draft) + functions(draft);
        break;
    case Dialect::X86:
    case Dialect::X86_64:
        text += "{\n}\n" + table(draft);
        break;
    default:
        text += fmt::format("{{\n{}}}\n{}", initial_registers(draft), table(draft));
    }
    return text + condition(draft);
}

} // namespace heddle::generate
