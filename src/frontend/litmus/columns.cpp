#include "frontend/litmus/columns.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

struct Cell {
    std::string_view text;
    std::size_t offset = 0;
};

Cell trimmed_cell(const Source& source, std::size_t begin, std::size_t end) {
    const std::string_view text = source.text();
    while (begin < end && std::isspace(static_cast<unsigned char>(text[begin])) != 0) {
        ++begin;
    }
    while (end > begin && std::isspace(static_cast<unsigned char>(text[end - 1])) != 0) {
        --end;
    }
    return {text.substr(begin, end - begin), begin};
}

/// The cells of the row that begins at `at`, which moves behind its semicolon.
std::vector<Cell> take_row(const Source& source, std::size_t& at, std::size_t end) {
    std::vector<Cell> cells;
    std::size_t begin = at;
    for (; at < end; ++at) {
        const char c = source.text()[at];
        if (c == '|' || c == ';') {
            cells.push_back(trimmed_cell(source, begin, at));
            begin = at + 1;
        }
        if (c == ';') {
            ++at;
            return cells;
        }
    }
    const Cell left = trimmed_cell(source, begin, end);
    if (!left.text.empty() || !cells.empty()) {
        source.fail(left.offset, "this row of the program does not end in `;`");
    }
    return cells;
}

std::vector<Operand> split_operands(std::string_view text, std::size_t offset) {
    std::vector<Operand> operands;
    int depth = 0;
    std::size_t begin = 0;
    const auto finish = [&](std::size_t end) {
        std::string_view part = text.substr(begin, end - begin);
        const std::size_t blanks = std::min(part.find_first_not_of(' '), part.size());
        operands.push_back({trimmed(part), offset + begin + blanks});
        begin = end + 1;
    };
    for (std::size_t k = 0; k < text.size(); ++k) {
        depth += text[k] == '[' || text[k] == '(' || text[k] == '{'   ? 1
                 : text[k] == ']' || text[k] == ')' || text[k] == '}' ? -1
                                                                      : 0;
        if (text[k] == ',' && depth == 0) {
            finish(k);
        }
    }
    if (!trimmed(text).empty()) {
        finish(text.size());
    }
    return operands;
}

/// A label is a word with a colon behind it; `%cs:0(...)` of x86 is none.
std::size_t label_end(std::string_view text) {
    std::size_t k = 0;
    while (k < text.size() && (std::isalnum(static_cast<unsigned char>(text[k])) != 0 || text[k] == '_' || text[k] == '.')) {
        ++k;
    }
    const std::size_t name = k;
    while (k < text.size() && text[k] == ' ') {
        ++k;
    }
    return name > 0 && k < text.size() && text[k] == ':' ? k : std::string_view::npos;
}

void parse_cell(Cell cell, std::vector<Instruction>& code) {
    while (true) {
        const std::size_t colon = label_end(cell.text);
        if (colon == std::string_view::npos) {
            break;
        }
        Instruction label;
        label.label = trimmed(cell.text.substr(0, colon));
        label.offset = cell.offset;
        code.push_back(std::move(label));
        std::size_t skip = colon + 1;
        while (skip < cell.text.size() && std::isspace(static_cast<unsigned char>(cell.text[skip])) != 0) {
            ++skip;
        }
        cell = {cell.text.substr(skip), cell.offset + skip};
    }
    if (cell.text.empty()) {
        return;
    }
    code.push_back(parse_instruction(cell.text, cell.offset));
}

} // namespace

Instruction parse_instruction(std::string_view text, std::size_t offset) {
    Instruction i;
    i.offset = offset;
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    i.mnemonic = lower_case(text.substr(0, end));
    const std::size_t begin = std::min(text.find_first_not_of(" \n", end), text.size());
    i.rest = text.substr(begin);
    i.operands = split_operands(i.rest, offset + begin);
    return i;
}

std::string lower_case(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \n");
    return begin == std::string_view::npos ? std::string_view{} : text.substr(begin, text.find_last_not_of(" \n") - begin + 1);
}

std::vector<std::vector<Instruction>> parse_columns(const Source& source, std::size_t begin, std::size_t end) {
    std::size_t at = begin;
    const std::vector<Cell> header = take_row(source, at, end);
    if (header.empty()) {
        source.fail(begin, "the text ends where the header of the program, `P0 | P1 ;`, was expected");
    }
    for (std::size_t k = 0; k < header.size(); ++k) {
        if (header[k].text != fmt::format("P{}", k)) {
            source.fail(header[k].offset,
                        fmt::format("`{}` where the header of a thread, `P{}`, was expected", header[k].text, k));
        }
    }
    std::vector<std::vector<Instruction>> threads(header.size());
    while (true) {
        const std::vector<Cell> row = take_row(source, at, end);
        if (row.empty()) {
            return threads;
        }
        if (row.size() > threads.size()) {
            source.fail(row[threads.size()].offset,
                        fmt::format("this row has {} columns, and there are {} threads", row.size(), threads.size()));
        }
        for (std::size_t k = 0; k < row.size(); ++k) {
            parse_cell(row[k], threads[k]);
        }
    }
}

} // namespace heddle::litmus
