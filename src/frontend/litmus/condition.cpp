#include "frontend/litmus/condition.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

using Kind = Proposition::Kind;
using Node = Proposition::Node;

class PropositionParser {
  public:
    PropositionParser(Tokens& tokens, TestBuilder& builder) : tokens_(tokens), builder_(builder) {}

    Proposition parse() {
        implication();
        return std::move(result_);
    }

    /// A register or a location.
    std::uint32_t reference() {
        const std::size_t offset = tokens_.peek().offset;
        if (tokens_.is(":", 1)) {
            const Token thread = tokens_.next();
            tokens_.next();
            const auto number = thread_number(thread);
            if (!number || *number >= builder_.threads()) {
                tokens_.source().fail(thread.offset, fmt::format("there is no thread `{}`", thread.text));
            }
            return builder_.observe_register(*number, tokens_.expect_word("the name of a register").text, offset);
        }
        const bool brackets = tokens_.accept("[");
        if (!brackets) {
            tokens_.accept("*");
        }
        const std::string name(tokens_.expect_word("a register or a location").text);
        std::optional<std::uint64_t> index;
        if (tokens_.accept("[")) {
            index = tokens_.expect_number("an index");
            tokens_.expect("]", "after an index");
        }
        if (brackets) {
            tokens_.expect("]", "after the name of a location");
        }
        return builder_.observe_location(name, index, offset);
    }

  private:
    std::uint32_t add(Kind kind, std::uint32_t left = 0, std::uint32_t right = 0, Constant value = 0) {
        result_.nodes.push_back({kind, left, right, value});
        return static_cast<std::uint32_t>(result_.nodes.size() - 1);
    }

    std::uint32_t implication() {
        const std::uint32_t left = disjunction();
        return tokens_.accept("=>") ? add(Kind::Implies, left, implication()) : left;
    }

    std::uint32_t disjunction() {
        std::uint32_t left = conjunction();
        while (tokens_.accept("\\/") || tokens_.accept("||")) {
            const std::uint32_t right = conjunction();
            left = add(Kind::Or, left, right);
        }
        return left;
    }

    std::uint32_t conjunction() {
        std::uint32_t left = atom();
        while (tokens_.accept("/\\") || tokens_.accept("&&")) {
            const std::uint32_t right = atom();
            left = add(Kind::And, left, right);
        }
        return left;
    }

    std::uint32_t atom() {
        if (tokens_.accept("(")) {
            const std::uint32_t inside = implication();
            tokens_.expect(")", "after a proposition");
            return inside;
        }
        if (tokens_.accept("~") || tokens_.accept("not") || tokens_.accept("!")) {
            return add(Kind::Not, atom());
        }
        if (tokens_.accept("true")) {
            return add(Kind::True);
        }
        if (tokens_.accept("false")) {
            return add(Kind::False);
        }
        if ((tokens_.is("fault") || tokens_.is("Fault")) && tokens_.is("(", 1)) {
            tokens_.source().unsupported(tokens_.peek().offset, "a proposition on faults");
        }
        return comparison();
    }

    std::uint32_t comparison() {
        const std::uint32_t left = reference();
        const bool differs = tokens_.accept("<>") || tokens_.accept("!=");
        if (!differs && !tokens_.accept("=") && !tokens_.accept("==")) {
            tokens_.unexpected("`=`");
        }
        if (tokens_.is("-") || (tokens_.is_number() && !tokens_.is(":", 1))) {
            const std::uint64_t number = tokens_.expect_number("a number");
            return add(differs ? Kind::NotEqual : Kind::Equal, left, 0, builder_.canonical(left, number));
        }
        tokens_.accept("&");
        if (tokens_.is_word() && !tokens_.is(":", 1)) { // the name of a location is its address
            const std::string name(tokens_.next().text);
            InitValue value{.number = 0, .location = name, .offset = 0};
            if (tokens_.accept("[")) {
                value.number = tokens_.expect_number("an index");
                tokens_.expect("]", "after an index");
            }
            return add(differs ? Kind::NotEqual : Kind::Equal, left, 0, builder_.value_of(value));
        }
        if (!tokens_.is("[") && !tokens_.is("*") && !tokens_.is(":", 1)) {
            tokens_.unexpected("a number, a location or a register");
        }
        const std::uint32_t same = add(Kind::EqualObservables, left, reference());
        return differs ? add(Kind::Not, same) : same;
    }

    Tokens& tokens_;
    TestBuilder& builder_;
    Proposition result_;
};

Proposition truth() { return {.nodes = {Node{.kind = Kind::True, .left = 0, .right = 0, .value = 0}}}; }

std::vector<std::uint32_t> parse_locations(Tokens& tokens, TestBuilder& builder) {
    std::vector<std::uint32_t> listed;
    tokens.expect("[", "after `locations`");
    while (!tokens.accept("]")) {
        if (tokens.accept(";")) {
            continue;
        }
        listed.push_back(PropositionParser(tokens, builder).reference());
        while (tokens.is_word() || tokens.is("*")) { // a type, which says how to print; the declared one does
            tokens.next();
        }
        if (!tokens.is("]")) {
            tokens.expect(";", "between locations");
        }
    }
    return listed;
}

std::optional<Quantifier> accept_quantifier(Tokens& tokens) {
    if (tokens.accept("exists")) {
        return Quantifier::Exists;
    }
    if (tokens.accept("forall")) {
        return Quantifier::Forall;
    }
    if (tokens.is("~") && tokens.is("exists", 1)) {
        tokens.next();
        tokens.next();
        return Quantifier::NotExists;
    }
    return std::nullopt;
}

/// The form `Observed s1; s2; and s3; ...`: states that were seen, each a list of equations.
Proposition parse_observed(Tokens& tokens, TestBuilder& builder) {
    Proposition all;
    const auto append = [&all](const Proposition& part) {
        const auto base = static_cast<std::uint32_t>(all.nodes.size());
        for (Node n : part.nodes) {
            if (n.kind == Kind::And || n.kind == Kind::Or || n.kind == Kind::Implies || n.kind == Kind::Not) {
                n.left += base;
                n.right += base;
            }
            all.nodes.push_back(n);
        }
        return static_cast<std::uint32_t>(all.nodes.size() - 1);
    };
    std::optional<std::uint32_t> states;
    do {
        std::optional<std::uint32_t> state;
        while (tokens.is_word() ? !tokens.is("and") : tokens.is_number() || tokens.is("[")) {
            const std::uint32_t equation = append(PropositionParser(tokens, builder).parse());
            if (state) {
                all.nodes.push_back({Kind::And, *state, equation, 0});
            }
            state = static_cast<std::uint32_t>(all.nodes.size() - 1);
            tokens.accept(";");
        }
        if (!state) {
            tokens.unexpected("a state");
        }
        if (states) {
            all.nodes.push_back({Kind::Or, *states, *state, 0});
        }
        states = static_cast<std::uint32_t>(all.nodes.size() - 1);
    } while (tokens.accept("and"));
    return all;
}

int strength(Kind kind) { return kind == Kind::Implies ? 0 : kind == Kind::Or ? 1 : kind == Kind::And ? 2 : 3; }

std::string text_of_node(const Proposition& p, std::uint32_t at, const LitmusTest& test) {
    const Node& n = p.nodes[at];
    const auto child = [&](std::uint32_t k) {
        const std::string text = text_of_node(p, k, test);
        return strength(p.nodes[k].kind) < strength(n.kind) ? "(" + text + ")" : text;
    };
    const auto equation = [&] {
        const Observable& o = test.observables[n.left];
        return o.name + "=" + show_value(test, o, n.value);
    };
    switch (n.kind) {
    case Kind::True:
        return "true";
    case Kind::False:
        return "false";
    case Kind::Equal:
        return equation();
    case Kind::NotEqual:
        return "not (" + equation() + ")";
    case Kind::EqualObservables:
        return test.observables[n.left].name + "=" + test.observables[n.right].name;
    case Kind::And:
        return child(n.left) + " /\\ " + child(n.right);
    case Kind::Or:
        return child(n.left) + " \\/ " + child(n.right);
    case Kind::Implies:
        return child(n.left) + " => " + child(n.right);
    case Kind::Not:
        return "not (" + text_of_node(p, n.left, test) + ")";
    }
    return {};
}

} // namespace

Question parse_question(Tokens& tokens, TestBuilder& builder) {
    Question question{.quantifier = Quantifier::Forall, .condition = truth(), .filter = {}, .listed = {}};
    while (true) {
        if (tokens.accept("locations")) {
            const auto more = parse_locations(tokens, builder);
            question.listed.insert(question.listed.end(), more.begin(), more.end());
        } else if (tokens.accept("filter")) {
            question.filter = PropositionParser(tokens, builder).parse();
        } else {
            break;
        }
    }
    if (const auto quantifier = accept_quantifier(tokens)) {
        question.quantifier = *quantifier;
        question.condition = PropositionParser(tokens, builder).parse();
    } else if (tokens.accept("final")) { // the old form; what models were expected to say follows it and is not read
        question.quantifier = Quantifier::Exists;
        question.condition = PropositionParser(tokens, builder).parse();
    } else if (tokens.accept("Observed") || tokens.accept("observed")) {
        question.quantifier = Quantifier::Exists;
        question.condition = parse_observed(tokens, builder);
    } else if (!tokens.at_end() && !tokens.is("<<")) {
        tokens.unexpected("`exists`, `~exists` or `forall`");
    }
    return question;
}

std::string text_of(Quantifier quantifier, const Proposition& condition, const LitmusTest& test) {
    const std::string_view word = quantifier == Quantifier::Exists      ? "exists"
                                  : quantifier == Quantifier::NotExists ? "~exists"
                                                                        : "forall";
    return fmt::format("{} ({})", word, text_of_node(condition, static_cast<std::uint32_t>(condition.nodes.size() - 1), test));
}

std::vector<std::uint32_t> observables_of(const Proposition& proposition) {
    std::vector<std::uint32_t> found;
    const auto note = [&found](std::uint32_t k) {
        if (std::ranges::find(found, k) == found.end()) {
            found.push_back(k);
        }
    };
    for (const Node& n : proposition.nodes) {
        if (n.kind == Kind::Equal || n.kind == Kind::NotEqual || n.kind == Kind::EqualObservables) {
            note(n.left);
        }
        if (n.kind == Kind::EqualObservables) {
            note(n.right);
        }
    }
    return found;
}

} // namespace heddle::litmus
