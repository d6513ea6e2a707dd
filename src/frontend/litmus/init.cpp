#include "frontend/litmus/init.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

/// The words before what is initialised: a word is one of the type when something to initialise still follows it.
bool is_type_word(const Tokens& tokens) {
    if (!tokens.is_word() || tokens.is(":", 1)) {
        return false;
    }
    const Token& after = tokens.peek(1);
    return after.kind == Token::Kind::Word || after.kind == Token::Kind::Number || after.text == "*" ||
           (after.text == "[" && tokens.peek(2).kind == Token::Kind::Word);
}

CType parse_type(Tokens& tokens) {
    std::string words;
    unsigned pointers = 0;
    const bool given = is_type_word(tokens);
    while (is_type_word(tokens)) {
        words += (words.empty() ? "" : " ") + std::string(tokens.next().text);
        while (tokens.accept("*")) {
            ++pointers;
        }
    }
    CType type = given ? type_named(words, pointers) : CType{};
    type.given = given;
    return type;
}

InitValue parse_value(Tokens& tokens) {
    InitValue value{.number = 0, .location = {}, .offset = tokens.peek().offset};
    if (tokens.accept("(")) { // a cast, or just parentheses
        if (tokens.is_word()) {
            while (tokens.is_word() || tokens.is("*")) {
                tokens.next();
            }
            tokens.expect(")", "after the type of a cast");
            return parse_value(tokens);
        }
        value = parse_value(tokens);
        tokens.expect(")", "after a value");
        return value;
    }
    const bool takes_address = tokens.accept("&");
    if (!tokens.is_word()) {
        if (takes_address) {
            tokens.unexpected("the name of a location");
        }
        value.number = tokens.expect_number("a number or the name of a location");
        if (tokens.is(":")) {
            tokens.source().unsupported(value.offset, "the address of an instruction");
        }
        return value;
    }
    const Token name = tokens.next();
    if (tokens.is(":") || tokens.is("(")) {
        if (name.text == "ATOMIC_INIT" && tokens.accept("(")) {
            value = parse_value(tokens);
            tokens.expect(")", "after the value of ATOMIC_INIT");
            return value;
        }
        tokens.source().unsupported(name.offset, fmt::format("the initial value `{}{}...`", name.text, tokens.peek().text));
    }
    value.location = name.text;
    if (tokens.accept("[")) {
        value.number = tokens.expect_number("an index");
        tokens.expect("]", "after an index");
    }
    return value;
}

void parse_location(Tokens& tokens, const CType& type, Frame& frame) {
    InitLocation location;
    location.type = type;
    location.offset = tokens.peek().offset;
    const bool brackets = tokens.accept("[");
    location.name = tokens.expect_word("the name of a location").text;
    if (tokens.is("(")) {
        tokens.source().unsupported(location.offset,
                                    fmt::format("the initial state of `{}(...)`, of virtual memory,", location.name));
    }
    if (brackets) {
        tokens.expect("]", "after the name of a location");
    } else if (tokens.accept("[")) {
        location.elements = tokens.expect_number("the number of elements");
        tokens.expect("]", "after the number of elements");
        if (location.elements > 256) { // one without elements is a location that nobody can access, and harmless
            tokens.source().fail(location.offset, "an array has at most 256 elements");
        }
    }
    if (tokens.accept("=")) {
        if (tokens.accept("{")) {
            while (!tokens.accept("}")) {
                location.values.push_back(parse_value(tokens));
                if (!tokens.is("}")) {
                    tokens.expect(",", "between the elements of an array");
                }
            }
            location.elements = std::max<std::uint64_t>(location.elements, location.values.size());
        } else {
            location.values.push_back(parse_value(tokens));
        }
    }
    frame.locations.push_back(std::move(location));
}

void parse_register(Tokens& tokens, const CType& type, Frame& frame) {
    InitRegister r;
    r.type = type;
    r.offset = tokens.peek().offset;
    if (tokens.is(":", 1)) {
        const Token thread = tokens.next();
        r.thread = thread_number(thread);
        if (!r.thread) {
            tokens.source().fail(thread.offset, fmt::format("`{}` is not the number of a thread", thread.text));
        }
        tokens.next();
    }
    r.name = tokens.expect_word("the name of a register").text;
    if (tokens.accept("=")) {
        r.value = parse_value(tokens);
    }
    frame.registers.push_back(std::move(r));
}

} // namespace

void parse_init(Tokens& tokens, Frame& frame) {
    while (!tokens.at_end()) {
        if (tokens.accept(";")) {
            continue;
        }
        const CType type = parse_type(tokens);
        const bool is_register = tokens.is(":", 1) || (tokens.is_word() && tokens.peek().text.starts_with('%'));
        if (is_register) {
            parse_register(tokens, type, frame);
        } else {
            parse_location(tokens, type, frame);
        }
        if (!tokens.at_end()) {
            tokens.expect(";", "between the parts of the initial state");
        }
    }
}

} // namespace heddle::litmus
