#include "model/cat/parser.hpp"

#include "model/cat/lexer.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace heddle::cat {
namespace {

/// How tightly a binary operator binds: the order in which herd's manual lists them.
int tightness(const Token& t) {
    constexpr std::array<std::string_view, 6> kLoosestFirst{"|", "++", ";", "\\", "&", "*"};
    for (std::size_t k = 0; k < kLoosestFirst.size(); ++k) {
        if (t.is(kLoosestFirst[k])) {
            return static_cast<int>(k) + 1;
        }
    }
    return 0;
}

class Parser {
  public:
    explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

    File file() {
        File file;
        while (here().kind == TokenKind::String || here().kind == TokenKind::Name) { // "title", or ARCH, or ARCH "title", catdep
            const Token t = take();
            if (file.title.empty() || t.kind == TokenKind::String) {
                file.title = t.text;
            }
        }
        file.statements = statements();
        if (here().kind != TokenKind::End) {
            expected("let, a check, include or another statement");
        }
        return file;
    }

  private:
    // --- tokens

    [[nodiscard]] const Token& here() const { return tokens_[at_]; }
    [[nodiscard]] const Token& next() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
    Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
    bool accept(std::string_view s) {
        if (here().is(s)) {
            take();
            return true;
        }
        return false;
    }
    void require(std::string_view s) {
        if (!accept(s)) {
            expected(fmt::format("\"{}\"", s));
        }
    }
    [[noreturn]] void expected(const std::string& what) const {
        const std::string found = here().kind == TokenKind::End ? "the end of the file" : fmt::format("\"{}\"", here().text);
        fail(here().place, fmt::format("found {}; expected {}", found, what));
    }
    std::string name(const std::string& what) {
        if (here().kind != TokenKind::Name) {
            expected(what);
        }
        return take().text;
    }
    std::string string(const std::string& what) {
        if (here().kind != TokenKind::String) {
            expected(what);
        }
        return take().text;
    }

    // --- statements

    std::vector<Statement> statements() {
        std::vector<Statement> all;
        while (starts_statement()) {
            statement(all);
        }
        return all;
    }

    [[nodiscard]] bool starts_statement() const {
        static constexpr std::array<std::string_view, 18> kFirst{
            "let",  "acyclic", "irreflexive", "empty", "~",    "flag", "undefined_unless", "assert", "include",
            "show", "unshow",  "showall",     "enum",  "call", "with", "procedure",        "if",     "instructions"};
        return here().is("forall") || here().is("default") || here().is("debug") ||
               std::ranges::any_of(kFirst, [&](std::string_view s) { return here().is(s); });
    }

    void statement(std::vector<Statement>& all) {
        Statement s;
        s.place = here().place;
        if (accept("let")) {
            s.kind = StatementKind::Let;
            s.recursive = accept("rec");
            s.bindings = bindings();
            if (accept("in")) {
                fail(s.place, "a definition with \"in\" is an expression; expected a statement");
            }
        } else if (accept("include")) {
            s.kind = StatementKind::Include;
            s.name = string("the name of a file in quotes");
        } else if (here().is("show") || here().is("unshow") || here().is("showall") || here().is("debug")) {
            shown();
        } else if (accept("procedure")) {
            procedure(s);
        } else if (accept("call")) {
            s.kind = StatementKind::Call;
            s.name = name("the name of a procedure");
            s.expr = primary();
            if (accept("as")) {
                name("a name for the call");
            }
        } else if (accept("enum")) {
            enumeration(s);
        } else if (accept("if")) {
            s.kind = StatementKind::If;
            s.condition = condition();
            accept("then");
            s.body = statements();
            if (accept("else")) {
                s.otherwise = statements();
            }
            require("end");
        } else if (accept("with")) {
            s.kind = StatementKind::WithFrom;
            s.name = name("a name");
            require("from");
            s.expr = expression();
        } else if (here().is("instructions") || here().is("default")) {
            instructions();
        } else if (here().is("forall")) {
            fail_unsupported(s.place, "the statement \"forall\"");
        } else {
            check(s);
        }
        all.push_back(std::move(s));
    }

    void check(Statement& s) {
        s.kind = StatementKind::Check;
        if (accept("flag")) {
            s.purpose = Purpose::Flag;
        } else if (accept("undefined_unless")) {
            s.purpose = Purpose::UndefinedUnless;
        } else if (accept("assert")) {
            s.purpose = Purpose::Assert;
        }
        s.negated = accept("~");
        if (accept("acyclic")) {
            s.check = CheckKind::Acyclic;
        } else if (accept("irreflexive")) {
            s.check = CheckKind::Irreflexive;
        } else if (accept("empty")) {
            s.check = CheckKind::Empty;
        } else {
            expected("acyclic, irreflexive or empty");
        }
        s.expr = expression();
        if (accept("as")) {
            s.name = here().kind == TokenKind::String ? take().text : name("a name for the check");
        }
    }

    /// show, unshow, showall: about pictures of executions.
    void shown() {
        if (take().text == "showall") {
            return;
        }
        do {
            expression();
            if (accept("as")) {
                name("a name");
            }
        } while (accept(","));
    }

    void procedure(Statement& s) {
        s.kind = StatementKind::Procedure;
        s.name = name("the name of a procedure");
        s.pattern = pattern();
        require("=");
        s.body = statements();
        require("end");
    }

    void enumeration(Statement& s) {
        s.kind = StatementKind::Enum;
        s.name = name("the name of an enumeration");
        require("=");
        accept("||");
        do {
            if (here().kind != TokenKind::Tag) {
                expected("a tag, such as 'acquire");
            }
            s.tags.push_back(take().text);
        } while (accept("||"));
    }

    /// Which annotations instructions may have: the front ends know. `instructions R[{'once, 'acquire}]`
    void instructions() {
        take();
        name("the name of a set of events");
        require("[");
        expression();
        require("]");
    }

    // --- definitions

    std::vector<Binding> bindings() {
        std::vector<Binding> all;
        do {
            Binding b;
            b.target = pattern();
            std::vector<Pattern> parameters;
            while (!here().is("=")) {
                if (b.target.tuple || (here().kind != TokenKind::Name && !here().is("("))) {
                    expected("\"=\"");
                }
                parameters.push_back(pattern());
            }
            require("=");
            b.body = expression();
            for (auto p = parameters.rbegin(); p != parameters.rend(); ++p) {
                b.body = function(*p, b.body);
            }
            all.push_back(std::move(b));
        } while (accept("and"));
        return all;
    }

    static ExprRef function(const Pattern& p, ExprRef body) {
        Expr f{.kind = ExprKind::Function, .place = p.place};
        f.pattern = p;
        f.parts.push_back(std::move(body));
        return std::make_shared<const Expr>(std::move(f));
    }

    Pattern pattern() {
        Pattern p;
        p.place = here().place;
        if (accept("(")) {
            p.tuple = true;
            if (!accept(")")) {
                do {
                    p.names.push_back(name("a name"));
                } while (accept(","));
                require(")");
            }
            p.tuple = p.names.size() != 1;
        } else {
            p.names.push_back(name("a name"));
        }
        return p;
    }

    // --- conditions

    Condition condition() {
        Condition c = conjunction();
        while (here().is("||")) {
            c = joined(Condition::Kind::Or, take().place, std::move(c), conjunction());
        }
        return c;
    }
    Condition conjunction() {
        Condition c = negation();
        while (here().is("&&")) {
            c = joined(Condition::Kind::And, take().place, std::move(c), negation());
        }
        return c;
    }
    Condition negation() {
        Condition c;
        c.place = here().place;
        if (accept("not")) {
            c.kind = Condition::Kind::Not;
            c.parts.push_back(negation());
        } else if (here().kind == TokenKind::String) {
            c.variant = take().text;
        } else if (accept("(")) {
            c = condition();
            require(")");
        } else {
            fail_unsupported(c.place, "a condition that compares values");
        }
        return c;
    }
    static Condition joined(Condition::Kind kind, const Place& place, Condition a, Condition b) {
        Condition c;
        c.kind = kind;
        c.place = place;
        c.parts.push_back(std::move(a));
        c.parts.push_back(std::move(b));
        return c;
    }

    // --- expressions

    static ExprRef make(ExprKind kind, const Place& place, std::string name, std::vector<ExprRef> parts) {
        Expr e{.kind = kind, .place = place};
        e.name = std::move(name);
        e.parts = std::move(parts);
        return std::make_shared<const Expr>(std::move(e));
    }

    ExprRef expression() {
        const Place place = here().place;
        if (accept("let")) {
            Expr e{.kind = ExprKind::Let, .place = place};
            e.recursive = accept("rec");
            e.bindings = bindings();
            require("in");
            e.parts.push_back(expression());
            return std::make_shared<const Expr>(std::move(e));
        }
        if (accept("fun")) {
            const Pattern p = pattern();
            require("->");
            return function(p, expression());
        }
        if (accept("if")) {
            Expr e{.kind = ExprKind::If, .place = place};
            e.condition = condition();
            require("then");
            e.parts.push_back(expression());
            require("else");
            e.parts.push_back(expression());
            return std::make_shared<const Expr>(std::move(e));
        }
        if (accept("try")) {
            ExprRef tried = expression();
            require("with");
            return make(ExprKind::Try, place, "", {std::move(tried), expression()});
        }
        if (here().is("match")) {
            return match();
        }
        return binary(1);
    }

    ExprRef match() {
        Expr e{.kind = ExprKind::Match, .place = take().place};
        e.parts.push_back(expression());
        require("with");
        accept("||");
        do {
            Arm arm;
            if (here().kind == TokenKind::Name && here().text == "_") {
                take();
                arm.tag = "_";
            } else if (here().kind == TokenKind::Tag) {
                arm.tag = take().text;
            } else {
                fail_unsupported(here().place, "matching a set");
            }
            require("->");
            arm.body = expression();
            e.arms.push_back(std::move(arm));
        } while (accept("||"));
        require("end");
        return std::make_shared<const Expr>(std::move(e));
    }

    /// Is the `*` here a product, or the closure of what stands before it? A product has an operand behind it.
    [[nodiscard]] bool star_is_product() const {
        if (!next().is("~")) {
            return starts_primary(next());
        }
        const Token& behind = tokens_[std::min(at_ + 2, tokens_.size() - 1)]; // "let a = r*", then "~empty ..."
        return !behind.is("empty") && !behind.is("acyclic") && !behind.is("irreflexive");
    }

    ExprRef binary(int least) {
        ExprRef left = unary();
        for (;;) {
            const int t = tightness(here());
            if (t < least || t == 0) {
                return left;
            }
            const Token op = take();
            left = make(ExprKind::Binary, op.place, op.text, {left, binary(t + 1)});
        }
    }

    ExprRef unary() {
        if (here().is("~")) {
            const Place place = take().place;
            return make(ExprKind::Unary, place, "~", {unary()});
        }
        return postfix();
    }

    ExprRef postfix() {
        ExprRef e = primary();
        while (starts_primary(here())) { // f x y
            ExprRef argument = primary();
            e = make(ExprKind::Call, e->place, "", {e, std::move(argument)});
        }
        for (;;) {
            const Token& t = here();
            std::string op;
            if (t.is("+") || t.is("^+")) {
                op = "+";
            } else if (t.is("?") || t.is("^?")) {
                op = "?";
            } else if (t.is("^*") || (t.is("*") && !star_is_product())) {
                op = "*";
            } else if (t.is("^-1")) {
                op = "^-1";
            } else {
                return e;
            }
            const Place place = take().place;
            e = make(ExprKind::Unary, place, op, {e});
        }
    }

    static bool starts_primary(const Token& t) {
        return t.kind == TokenKind::Name || t.kind == TokenKind::Tag || t.is("(") || t.is("[") || t.is("{") || t.is("0") ||
               t.is("begin");
    }

    ExprRef primary() {
        const Token t = here();
        if (t.kind == TokenKind::Name) {
            take();
            return make(t.text == "_" ? ExprKind::Universe : ExprKind::Name, t.place, t.text, {});
        }
        if (t.kind == TokenKind::Tag) {
            take();
            return make(ExprKind::Tag, t.place, t.text, {});
        }
        if (accept("0")) {
            return make(ExprKind::Empty, t.place, "", {});
        }
        if (accept("(")) {
            return closed(ExprKind::Tuple, t.place, ")");
        }
        if (accept("begin")) {
            return closed(ExprKind::Tuple, t.place, "end");
        }
        if (accept("[")) {
            ExprRef inner = expression();
            require("]");
            return make(ExprKind::ToId, t.place, "", {std::move(inner)});
        }
        if (accept("{")) {
            return closed(ExprKind::SetOf, t.place, "}");
        }
        expected("an expression");
    }

    /// What stands between brackets: nothing, one expression, or several with commas.
    ExprRef closed(ExprKind kind, const Place& place, std::string_view end) {
        std::vector<ExprRef> parts;
        if (!here().is(end)) {
            do {
                parts.push_back(expression());
            } while (accept(","));
        }
        require(end);
        if (kind == ExprKind::Tuple && parts.size() == 1) {
            return parts.front();
        }
        if (kind == ExprKind::SetOf && parts.empty()) {
            kind = ExprKind::Empty;
        }
        return make(kind, place, "", std::move(parts));
    }

    std::vector<Token> tokens_;
    std::size_t at_ = 0;
};

} // namespace

File parse(std::string_view text, std::shared_ptr<const std::string> file) {
    return Parser(tokens_of(text, std::move(file))).file();
}

} // namespace heddle::cat
