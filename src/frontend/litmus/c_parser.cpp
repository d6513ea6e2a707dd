#include "frontend/litmus/c_parser.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

using Expression = CExpression;

struct BinaryWord {
    std::string_view text;
    CBinary op;
    int precedence; ///< C's: larger binds tighter
};

constexpr auto kBinaryWords = std::to_array<BinaryWord>({
    {"*", CBinary::Multiply, 10},
    {"/", CBinary::Divide, 10},
    {"%", CBinary::Remainder, 10},
    {"+", CBinary::Add, 9},
    {"-", CBinary::Subtract, 9},
    {"<<", CBinary::ShiftLeft, 8},
    {">>", CBinary::ShiftRight, 8},
    {"<", CBinary::Less, 7},
    {"<=", CBinary::LessEqual, 7},
    {">", CBinary::Greater, 7},
    {">=", CBinary::GreaterEqual, 7},
    {"==", CBinary::Equal, 6},
    {"!=", CBinary::NotEqual, 6},
    {"&", CBinary::BitAnd, 5},
    {"^", CBinary::BitXor, 4},
    {"|", CBinary::BitOr, 3},
    {"&&", CBinary::And, 2},
    {"||", CBinary::Or, 1},
});

const BinaryWord* binary_word(std::string_view text) {
    const auto found = std::ranges::find(kBinaryWords, text, &BinaryWord::text);
    return found == kBinaryWords.end() ? nullptr : &*found;
}

/// Words of statements that herd's C does not have.
constexpr auto kForeignStatements =
    std::to_array<std::string_view>({"switch", "goto", "break", "continue", "return", "asm", "__asm__"});

class Parser {
  public:
    explicit Parser(Tokens& tokens) : tokens_(tokens) {}

    CThread thread() {
        CThread thread;
        thread.at = tokens_.next().offset;
        tokens_.expect("(", "before the parameters of a thread");
        while (!tokens_.is(")")) {
            thread.parameters.push_back(parameter());
            if (!tokens_.accept(",")) {
                break;
            }
        }
        tokens_.expect(")", "after the parameters of a thread");
        if (!tokens_.is("{")) {
            tokens_.unexpected("`{` before the body of a thread");
        }
        thread.body = statement();
        return thread;
    }

  private:
    CParameter parameter() {
        CParameter p;
        p.at = tokens_.peek().offset;
        const auto type = accept_c_type(tokens_);
        if (!type) {
            tokens_.unexpected("the type of a parameter");
        }
        p.type = *type;
        const Token name = tokens_.expect_word("the name of a parameter");
        p.name = name.text;
        while (tokens_.accept("[")) { // int x[3] and int x[] are pointers, as in C
            if (tokens_.is_number()) {
                tokens_.next();
            }
            tokens_.expect("]", "after the number of elements");
            p.type = pointer_to(p.type);
        }
        if (!is_pointer(p.type)) {
            tokens_.source().unsupported(name.offset,
                                         fmt::format("the parameter `{}`, which is not a pointer to a location,", p.name));
        }
        return p;
    }

    // --- statements ---------------------------------------------------------------------------------------------------------------------------

    CStatementPtr make(CStatement::Kind kind) const {
        auto s = std::make_unique<CStatement>();
        s->kind = kind;
        s->at = tokens_.peek().offset;
        return s;
    }

    CStatementPtr statement() {
        if (tokens_.is("{")) {
            return block();
        }
        if (tokens_.is("if")) {
            return if_statement();
        }
        if (tokens_.is("while")) {
            auto s = make(CStatement::Kind::While);
            tokens_.next();
            s->value = condition("while");
            s->parts.push_back(statement());
            return s;
        }
        if (tokens_.is("do")) {
            auto s = make(CStatement::Kind::DoWhile);
            tokens_.next();
            s->parts.push_back(statement());
            tokens_.expect("while", "after the body of `do`");
            s->value = condition("while");
            tokens_.expect(";", "after `do ... while (...)`");
            return s;
        }
        if (tokens_.is("for")) {
            return for_statement();
        }
        if (std::ranges::find(kForeignStatements, tokens_.peek().text) != kForeignStatements.end()) {
            tokens_.source().unsupported(tokens_.peek().offset, fmt::format("the statement `{}`", tokens_.peek().text));
        }
        if (tokens_.accept(";")) {
            return make(CStatement::Kind::Block);
        }
        CStatementPtr s = simple_statement();
        tokens_.expect(";", "after a statement");
        return s;
    }

    CStatementPtr block() {
        auto s = make(CStatement::Kind::Block);
        tokens_.expect("{", "before a block");
        while (!tokens_.is("}")) {
            if (tokens_.at_end()) {
                tokens_.unexpected("`}` after the statements of a block");
            }
            s->parts.push_back(statement());
        }
        tokens_.next();
        return s;
    }

    CStatementPtr if_statement() {
        auto s = make(CStatement::Kind::If);
        tokens_.next();
        s->value = condition("if");
        s->parts.push_back(statement());
        if (tokens_.accept("else")) {
            s->parts.push_back(statement());
        }
        return s;
    }

    CStatementPtr for_statement() {
        auto s = make(CStatement::Kind::For);
        tokens_.next();
        tokens_.expect("(", "after `for`");
        CStatementPtr start = tokens_.is(";") ? nullptr : simple_statement();
        tokens_.expect(";", "after the start of `for`");
        s->value = tokens_.is(";") ? nullptr : expression();
        tokens_.expect(";", "after the condition of `for`");
        CStatementPtr step = tokens_.is(")") ? nullptr : simple_statement();
        tokens_.expect(")", "after the step of `for`");
        s->parts.push_back(statement());
        s->parts.push_back(std::move(start));
        s->parts.push_back(std::move(step));
        return s;
    }

    CExpressionPtr condition(std::string_view of) {
        tokens_.expect("(", fmt::format("after `{}`", of));
        CExpressionPtr e = expression();
        tokens_.expect(")", fmt::format("after the condition of `{}`", of));
        return e;
    }

    /// A declaration, an assignment or an expression, without its semicolon.
    CStatementPtr simple_statement() {
        const std::size_t at = tokens_.peek().offset;
        if (const auto type = accept_c_type(tokens_)) {
            return declaration(at, *type);
        }
        auto s = make(CStatement::Kind::Evaluate);
        const bool is_prefix = tokens_.is("++") || tokens_.is("--");
        const std::string_view prefix = is_prefix ? tokens_.next().text : "";
        CExpressionPtr e = expression();
        const std::string_view word = is_prefix ? prefix : tokens_.peek().text;
        if (is_prefix) {
            s->value = changed(*e, word == "++" ? CBinary::Add : CBinary::Subtract, one(at));
        } else if (tokens_.accept("=")) {
            s->value = expression();
        } else if (tokens_.is("++") || tokens_.is("--")) {
            tokens_.next();
            s->value = changed(*e, word == "++" ? CBinary::Add : CBinary::Subtract, one(at));
        } else if (word.size() == 2 && word[1] == '=' && binary_word(word.substr(0, 1)) != nullptr && word != "<=" &&
                   word != ">=") {
            tokens_.next();
            s->value = changed(*e, binary_word(word.substr(0, 1))->op, expression());
        } else {
            s->value = std::move(e);
            return s;
        }
        s->kind = CStatement::Kind::Assign;
        s->target = std::move(e);
        return s;
    }

    CStatementPtr declaration(std::size_t at, CType type) {
        // "int r0, *r1 = x;": the stars of the first were taken with the type, those of the others stand at their names.
        CType base = type;
        base.pointers = 0;
        auto all = make(CStatement::Kind::Block);
        do {
            auto s = make(CStatement::Kind::Declare);
            s->at = at;
            s->type = all->parts.empty() ? type : base;
            while (tokens_.accept("*")) {
                s->type = pointer_to(s->type);
            }
            const Token name = tokens_.expect_word("the name of a variable");
            s->name = name.text;
            if (tokens_.is("[")) {
                tokens_.source().unsupported(name.offset, fmt::format("the local array `{}`", name.text));
            }
            if (tokens_.accept("=")) {
                s->value = expression();
            }
            all->parts.push_back(std::move(s));
        } while (tokens_.accept(","));
        return all->parts.size() == 1 ? std::move(all->parts.front()) : std::move(all);
    }

    CExpressionPtr one(std::size_t at) const {
        auto e = std::make_unique<Expression>();
        e->at = at;
        e->number = 1;
        e->type = int_type();
        return e;
    }

    /// `target op operand`, for `target op= operand`. Herd has these for its registers only; so have we: a location would be named twice.
    CExpressionPtr changed(const Expression& target, CBinary op, CExpressionPtr operand) const {
        if (target.kind != Expression::Kind::Name) {
            tokens_.source().unsupported(target.at, "an assignment that reads and writes something other than a local variable");
        }
        auto name = std::make_unique<Expression>();
        name->kind = Expression::Kind::Name;
        name->at = target.at;
        name->name = target.name;
        return binary(target.at, op, std::move(name), std::move(operand));
    }

    // --- expressions ----------------------------------------------------------------------------------------------------------------------------

    static CExpressionPtr binary(std::size_t at, CBinary op, CExpressionPtr left, CExpressionPtr right) {
        auto e = std::make_unique<Expression>();
        e->kind = Expression::Kind::Binary;
        e->at = at;
        e->binary = op;
        e->operands.push_back(std::move(left));
        e->operands.push_back(std::move(right));
        return e;
    }

    CExpressionPtr make_expression(Expression::Kind kind) const {
        auto e = std::make_unique<Expression>();
        e->kind = kind;
        e->at = tokens_.peek().offset;
        return e;
    }

    CExpressionPtr expression() {
        CExpressionPtr e = binary_expression(1);
        if (tokens_.is("?")) {
            auto choice = make_expression(Expression::Kind::Conditional);
            tokens_.next();
            choice->operands.push_back(std::move(e));
            choice->operands.push_back(expression());
            tokens_.expect(":", "between the two ends of `?`");
            choice->operands.push_back(expression());
            return choice;
        }
        return e;
    }

    CExpressionPtr binary_expression(int least) {
        CExpressionPtr left = unary_expression();
        while (tokens_.peek().kind == Token::Kind::Symbol) {
            const BinaryWord* word = binary_word(tokens_.peek().text);
            if (word == nullptr || word->precedence < least) {
                break;
            }
            const std::size_t at = tokens_.next().offset;
            left = binary(at, word->op, std::move(left), binary_expression(word->precedence + 1));
        }
        return left;
    }

    CExpressionPtr unary_expression() {
        static constexpr auto kWords = std::to_array<std::pair<std::string_view, CUnary>>({{"-", CUnary::Negate},
                                                                                           {"!", CUnary::Not},
                                                                                           {"~", CUnary::Complement},
                                                                                           {"*", CUnary::Dereference},
                                                                                           {"&", CUnary::AddressOf}});
        if (tokens_.accept("+")) {
            return unary_expression();
        }
        for (const auto& [text, op] : kWords) {
            if (tokens_.is(text)) {
                auto e = make_expression(Expression::Kind::Unary);
                tokens_.next();
                e->unary = op;
                e->operands.push_back(unary_expression());
                return e;
            }
        }
        if (tokens_.is("(")) {
            auto e = make_expression(Expression::Kind::Cast);
            tokens_.next();
            if (const auto type = accept_c_type(tokens_)) {
                tokens_.expect(")", "after the type of a cast");
                e->type = *type;
                e->operands.push_back(unary_expression());
                return e;
            }
            CExpressionPtr inner = expression();
            tokens_.expect(")", "after an expression in parentheses");
            return postfix(std::move(inner));
        }
        return postfix(primary());
    }

    CExpressionPtr primary() {
        if (tokens_.is_number()) {
            auto e = make_expression(Expression::Kind::Number);
            const Token token = tokens_.next();
            e->number = number_of(tokens_.source(), token);
            const bool is_unsigned = token.text.find_first_of("uU") != std::string_view::npos;
            const bool is_long = token.text.find_first_of("lL") != std::string_view::npos || e->number > 0x7fffffff;
            e->type = is_long ? long_type() : int_type();
            e->type.is_signed = !is_unsigned;
            return e;
        }
        if (!tokens_.is_word()) {
            tokens_.unexpected("an expression");
        }
        const Token word = tokens_.peek();
        auto e = make_expression(Expression::Kind::Name);
        tokens_.next();
        // "x.load" is one word, since names of tests and registers may have a dot.
        const std::size_t dot = word.text.find('.');
        e->name = word.text.substr(0, dot);
        if (dot != std::string_view::npos) {
            return method(std::move(e), word.text.substr(dot + 1));
        }
        if (tokens_.is("(") || tokens_.is("{")) {
            return call(std::move(e));
        }
        return e;
    }

    CExpressionPtr call(CExpressionPtr e) {
        e->kind = Expression::Kind::Call;
        if (tokens_.accept("{")) {
            e->tag = std::string(tokens_.expect_word("the annotation of a primitive").text);
            tokens_.expect("}", "after the annotation of a primitive");
        }
        if (tokens_.is("(") || !e->tag) { // herd writes __fence{mb} without parentheses
            arguments(*e);
        }
        return e;
    }

    void arguments(Expression& e) {
        tokens_.expect("(", "before arguments");
        while (!tokens_.is(")")) {
            e.operands.push_back(expression());
            if (!tokens_.accept(",")) {
                break;
            }
        }
        tokens_.expect(")", "after arguments");
    }

    CExpressionPtr method(CExpressionPtr object, std::string_view name) {
        auto e = make_expression(Expression::Kind::Method);
        e->at = object->at;
        e->name = name;
        e->operands.push_back(std::move(object));
        arguments(*e);
        return e;
    }

    CExpressionPtr postfix(CExpressionPtr e) {
        for (;;) {
            if (tokens_.is("[")) {
                auto index = make_expression(Expression::Kind::Index);
                tokens_.next();
                index->operands.push_back(std::move(e));
                index->operands.push_back(expression());
                tokens_.expect("]", "after an index");
                e = std::move(index);
            } else if (tokens_.is("->") || tokens_.is(".")) {
                tokens_.next();
                const Token name = tokens_.expect_word("the name of a method");
                if (!tokens_.is("(")) {
                    tokens_.source().unsupported(name.offset, fmt::format("the member `{}` of a structure", name.text));
                }
                e = method(std::move(e), name.text);
            } else {
                return e;
            }
        }
    }

    Tokens& tokens_;
};

/// "P3".
bool names_thread(const Token& token) {
    return token.kind == Token::Kind::Word && token.text.size() > 1 && token.text[0] == 'P' &&
           std::ranges::all_of(token.text.substr(1), [](unsigned char c) { return std::isdigit(c) != 0; });
}

} // namespace

std::vector<CThread> parse_c_threads(Tokens& tokens) {
    std::vector<CThread> threads;
    while (names_thread(tokens.peek())) {
        const Token name = tokens.peek();
        const std::string expected = fmt::format("P{}", threads.size());
        if (name.text != expected) {
            tokens.source().fail(name.offset, fmt::format("thread `{}` where `{}` was expected", name.text, expected));
        }
        threads.push_back(Parser(tokens).thread());
    }
    if (threads.empty()) {
        tokens.unexpected("a thread, such as `P0(int* x) { ... }`,");
    }
    return threads;
}

} // namespace heddle::litmus
