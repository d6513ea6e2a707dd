// The types of C litmus tests: which names there are, and how large what they name is. As on all 64-bit Linux machines (LP64).
#include "frontend/litmus/c_types.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace heddle::litmus {

namespace {

struct TypeName {
    std::string_view name;
    std::uint8_t size;
    bool is_signed;
};

constexpr auto kTypeNames = std::to_array<TypeName>({
    {"void", 0, false},
    {"_Bool", 1, false},
    {"bool", 1, false},
    {"int8_t", 1, true},
    {"uint8_t", 1, false},
    {"int16_t", 2, true},
    {"uint16_t", 2, false},
    {"int32_t", 4, true},
    {"uint32_t", 4, false},
    {"int64_t", 8, true},
    {"uint64_t", 8, false},
    {"intptr_t", 8, true},
    {"uintptr_t", 8, false},
    {"size_t", 8, false},
    {"ptrdiff_t", 8, true},
    {"int128", 16, true},
    {"int128_t", 16, true},
    {"uint128_t", 16, false},
    {"s8", 1, true},
    {"u8", 1, false},
    {"s16", 2, true},
    {"u16", 2, false},
    {"s32", 4, true},
    {"u32", 4, false},
    {"s64", 8, true},
    {"u64", 8, false},
    {"atomic_t", 4, true},
    {"atomic64_t", 8, true},
    {"atomic_long_t", 8, true},
    {"spinlock_t", 4, false},
    {"atomic_bool", 1, false},
    {"atomic_char", 1, true},
    {"atomic_short", 2, true},
    {"atomic_int", 4, true},
    {"atomic_uint", 4, false},
    {"atomic_long", 8, true},
    {"atomic_ulong", 8, false},
    {"atomic_llong", 8, true},
    {"atomic_ullong", 8, false},
    {"atomic_intptr_t", 8, true},
    {"atomic_uintptr_t", 8, false},
    {"atomic_size_t", 8, false},
});

/// The words of which C makes its own types, in any order: "long unsigned int".
struct BasicType {
    unsigned longs = 0;
    bool is_char = false;
    bool is_short = false;
    bool is_unsigned = false;

    bool take(std::string_view word) {
        if (word == "long") {
            ++longs;
        } else if (word == "char") {
            is_char = true;
        } else if (word == "short") {
            is_short = true;
        } else if (word == "unsigned") {
            is_unsigned = true;
        } else if (word != "int" && word != "signed") {
            return false;
        }
        return true;
    }
    [[nodiscard]] std::uint8_t size() const { return is_char ? 1 : is_short ? 2 : longs > 0 ? 8 : 4; }
};

const TypeName* find_type(std::string_view word) {
    if (word.starts_with("__")) { // the kernel's and the compilers' spelling of the fixed-size types
        word.remove_prefix(2);
    }
    const auto known = std::ranges::find(kTypeNames, word, &TypeName::name);
    return known == kTypeNames.end() ? nullptr : &*known;
}

} // namespace

CType type_named(const std::string& words, unsigned pointers) {
    CType type{.name = words, .size = 4, .is_signed = true, .pointers = pointers, .given = true};
    BasicType basic;
    std::string_view rest = words;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        const std::string_view word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (const TypeName* known = find_type(word)) {
            type.size = known->size;
            type.is_signed = known->is_signed;
        } else if (basic.take(word)) {
            type.size = basic.size();
            type.is_signed = !basic.is_unsigned;
        }
    }
    return type;
}

bool is_bool(const CType& type) { return !is_pointer(type) && (type.name.ends_with("_Bool") || type.name.ends_with("bool")); }

CType int_type() { return type_named("int", 0); }
CType long_type() { return type_named("long", 0); }

CType pointer_to(const CType& type) {
    CType to = type;
    ++to.pointers;
    return to;
}

CType pointee_of(const CType& type) {
    CType to = type;
    to.pointers -= is_pointer(type) ? 1 : 0;
    return to;
}

std::optional<CType> accept_c_type(Tokens& tokens) {
    std::string words;
    bool is_type = false;
    while (tokens.is_word()) {
        const std::string_view word = tokens.peek().text;
        if (find_type(word) != nullptr || BasicType{}.take(word)) {
            is_type = true;
        } else if (word != "const" && word != "volatile" && word != "_Atomic" && word != "register" && word != "static") {
            break;
        }
        words += (words.empty() ? "" : " ") + std::string(word);
        tokens.next();
    }
    if (!is_type) {
        if (!words.empty()) {
            tokens.unexpected("a type");
        }
        return std::nullopt;
    }
    unsigned pointers = 0;
    while (tokens.is("*") || tokens.is("const") || tokens.is("volatile")) {
        pointers += tokens.next().text == "*" ? 1 : 0;
    }
    return type_named(words, pointers);
}

} // namespace heddle::litmus
