#include "frontend/litmus/arm_operands.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

/// "lsl #2", "sxtw", "SXTW #2", "uxtw" applied to a register.
Slot shifted(AssemblyThread& t, Slot value, const Operand& how) {
    const std::size_t blank = how.text.find_first_of(" #");
    const std::string word = lower_case(how.text.substr(0, blank));
    const std::string_view rest = blank == std::string_view::npos ? std::string_view{} : trimmed(how.text.substr(blank));
    const std::uint64_t amount = rest.empty() ? 0 : t.expect_number({rest, how.offset});
    Slot result = value;
    Op shift = Op::Shl;
    if (word == "sxtw") {
        result = t.cut_signed(value, 4);
    } else if (word == "uxtw") {
        result = t.cut_unsigned(value, 4);
    } else if (word == "lsr") {
        shift = Op::LShr;
    } else if (word == "asr") {
        shift = Op::AShr;
    } else if (word != "lsl" && word != "sxtx" && word != "uxtx") {
        t.source().fail(how.offset, fmt::format("`{}` where a shift or an extension was expected", how.text));
    }
    return amount == 0 ? result : t.operate(shift, result, t.code().constant(amount), 8);
}

std::vector<Operand> parts_of(std::string_view text, std::size_t offset) {
    std::vector<Operand> parts;
    std::size_t begin = 0;
    while (begin <= text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        parts.push_back({trimmed(text.substr(begin, end - begin)), offset + begin});
        begin = end + 1;
    }
    return parts;
}

} // namespace

Slot bracketed_address(AssemblyThread& t, const Operand& operand) {
    std::string_view text = operand.text;
    const bool changes = text.ends_with('!');
    if (changes) {
        text = trimmed(text.substr(0, text.size() - 1));
    }
    if (!text.starts_with('[') || !text.ends_with(']')) {
        t.source().fail(operand.offset, fmt::format("`{}` where an address, `[register]`, was expected", operand.text));
    }
    if (t.picks() != nullptr) {
        t.picks()->in_address(true);
    }
    const std::vector<Operand> parts = parts_of(text.substr(1, text.size() - 2), operand.offset + 1);
    const Slot base = t.reg(parts[0]);
    Slot address = base;
    if (parts.size() > 1) {
        Slot index = t.reg_or_number(parts[1]);
        if (parts.size() > 2) {
            index = shifted(t, index, parts[2]);
        }
        address = t.code().add(base, index);
    }
    if (t.picks() != nullptr) {
        t.picks()->in_address(false);
    }
    if (changes) {
        t.write(parts[0], address);
    }
    return address;
}

Slot shifted_operand(AssemblyThread& t, const Instruction& i, std::size_t first) {
    const Slot value = t.reg_or_number(i.operands[first]);
    return i.operands.size() > first + 1 ? shifted(t, value, i.operands[first + 1]) : value;
}

std::optional<Condition> condition_named(std::string_view text) {
    struct Named {
        std::string_view name;
        Condition condition;
    };
    static constexpr std::array kConditions = {
        Named{"eq", Condition::Equal},        Named{"ne", Condition::NotEqual},   Named{"cs", Condition::CarrySet},
        Named{"hs", Condition::CarrySet},     Named{"cc", Condition::CarryClear}, Named{"lo", Condition::CarryClear},
        Named{"mi", Condition::Minus},        Named{"pl", Condition::Plus},       Named{"vs", Condition::Overflow},
        Named{"vc", Condition::NoOverflow},   Named{"hi", Condition::Higher},     Named{"ls", Condition::LowerSame},
        Named{"ge", Condition::GreaterEqual}, Named{"lt", Condition::Less},       Named{"gt", Condition::Greater},
        Named{"le", Condition::LessEqual},
    };
    const std::string lower = lower_case(text);
    const auto* found = std::ranges::find(kConditions, lower, &Named::name);
    return found == kConditions.end() ? std::nullopt : std::optional(found->condition);
}

void arm_barrier(AssemblyThread& t, const Instruction& i, FenceKind full, FenceKind stores, FenceKind loads) {
    std::string option = lower_case(trimmed(i.rest));
    for (const std::string_view domain : {"ish", "osh", "nsh"}) {
        if (option.starts_with(domain)) {
            option.erase(0, domain.size());
            break;
        }
    }
    if (option != "" && option != "sy" && option != "st" && option != "ld") {
        t.unknown(i);
    }
    t.code().fence(Order::NonAtomic, option == "st" ? stores : option == "ld" ? loads : full);
}

} // namespace heddle::litmus
