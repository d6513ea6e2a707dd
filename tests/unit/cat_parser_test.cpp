// What the parser and the resolver of cat say of models that are wrong, and that they take what is right.
#include "cat_text.hpp"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using test::good_cat;
using test::load_cat;
using test::write_cat;
using testing::EndsWith;
using testing::HasSubstr;

/// The message without the folder: "model.cat:line:column: ...".
std::string error_of(const std::string& text, Diagnostic::Kind kind = Diagnostic::Kind::BadInput) {
    const auto model = load_cat(text);
    if (model) {
        return "no error";
    }
    EXPECT_EQ(model.error().kind, kind) << model.error().message;
    const std::string folder = test::cat_folder().string() + "/";
    EXPECT_TRUE(model.error().message.starts_with(folder)) << model.error().message;
    return model.error().message.substr(folder.size());
}

std::string unsupported(const std::string& text) { return error_of(text, Diagnostic::Kind::Unsupported); }

TEST(CatParser, SyntaxErrorsHaveAPlace) {
    EXPECT_EQ(error_of("let a = (po | rf\nacyclic a\n"), "model.cat:2:1: found \"acyclic\"; expected \")\"");
    EXPECT_EQ(error_of("let a = po |\n"), "model.cat:2:1: found the end of the file; expected an expression");
    EXPECT_EQ(error_of("let = po"), "model.cat:1:5: found \"=\"; expected a name");
    EXPECT_EQ(error_of("let a po"), "model.cat:1:9: found the end of the file; expected \"=\"");
    EXPECT_EQ(error_of("\"title\"\n\nlet a = po\n  ) \n"),
              "model.cat:4:3: found \")\"; expected let, a check, include or another statement");
    EXPECT_EQ(error_of("flag a"), "model.cat:1:6: found \"a\"; expected acyclic, irreflexive or empty");
    EXPECT_EQ(error_of("let a = if \"x\" then po"), "model.cat:1:23: found the end of the file; expected \"else\"");
    EXPECT_EQ(error_of("let a = [R ; po"), "model.cat:1:16: found the end of the file; expected \"]\"");
}

TEST(CatParser, LexicalErrorsHaveAPlace) {
    EXPECT_EQ(error_of("let a = po\n(* never (* ends *)\n"), "model.cat:2:1: this comment does not end; expected \"*)\"");
    EXPECT_EQ(error_of("let a = $"), "model.cat:1:9: found the character '$'; expected a name or an operator");
    EXPECT_EQ(error_of("include \"x.cat\n"), "model.cat:1:9: this string does not end on its line; expected '\"'");
}

TEST(CatParser, NamesAndTypes) {
    EXPECT_EQ(error_of("acyclic po | hbb"), "model.cat:1:14: \"hbb\" is not defined here, and no architecture has it");
    EXPECT_EQ(error_of("acyclic po | R"),
              "model.cat:1:12: \"|\" is between a relation and a set of events; expected two sets or two relations");
    EXPECT_EQ(error_of("acyclic po ; R"), "model.cat:1:14: this is a set of events; expected a relation");
    EXPECT_EQ(error_of("acyclic [po]"), "model.cat:1:10: this is a relation; expected a set of events");
    EXPECT_EQ(error_of("acyclic po(R)"), "model.cat:1:9: this is a relation; expected a function");
    EXPECT_EQ(error_of("let f(a, b) = a | b\nacyclic f(po)"), "model.cat:1:6: expected 2 values, found 1");
    EXPECT_EQ(error_of("include \"nowhere.cat\""), "model.cat:1:1: the included file \"nowhere.cat\" was not found");
}

TEST(CatParser, WhatIsNotSupportedIsNamed) {
    EXPECT_EQ(unsupported("let rec f(x) = f(x)"), "model.cat:1:1: a recursive function is not supported");
    EXPECT_EQ(unsupported("acyclic po | iico_data"), "model.cat:1:14: \"iico_data\" is not supported");
    EXPECT_EQ(unsupported("with pco from linearisations(W, po)"),
              "model.cat:1:1: choosing \"pco\" with \"with ... from\" is not supported");
    EXPECT_EQ(unsupported("let f x = x x\nacyclic f f"), "model.cat:1:11: a function that calls itself is not supported");
    EXPECT_EQ(unsupported("let rec a = match a with || {} -> po || x ++ xs -> rf end"),
              "model.cat:1:29: matching a set is not supported");
    EXPECT_EQ(unsupported("forall x in S do end"), "model.cat:1:1: the statement \"forall\" is not supported");
}

TEST(CatParser, ErrorsInIncludedFilesNameThem) {
    write_cat("inner.cat", "let a = po\nlet b = a |\n");
    const auto model = load_cat("include \"inner.cat\"\n");
    ASSERT_FALSE(model.has_value());
    EXPECT_THAT(model.error().message, EndsWith("inner.cat:3:1: found the end of the file; expected an expression"));
}

TEST(CatParser, IncludesAreSearchedBesideTheModelThenInFolders) {
    const auto elsewhere = test::cat_folder() / "elsewhere";
    std::filesystem::create_directories(elsewhere);
    std::ofstream(elsewhere / "there.cat") << "let there = po\n";
    const auto file =
        write_cat("model.cat", "include \"stdlib.cat\"\ninclude \"cos.cat\"\ninclude \"there.cat\"\nacyclic there\n");
    EXPECT_FALSE(cat::Model::load(file, {}).has_value());
    const auto model = cat::Model::load(file, {elsewhere});
    ASSERT_TRUE(model.has_value()) << model.error().message;
    EXPECT_EQ(model->name(), "model"); // it has no title
}

TEST(CatParser, Titles) {
    EXPECT_EQ(good_cat("\"A title\"\nacyclic po").name(), "A title");
    EXPECT_EQ(good_cat("(* comment *) PPC\nacyclic po").name(), "PPC");
    EXPECT_EQ(good_cat("AArch64 \"Some title\" acyclic po").name(), "Some title");
}

TEST(CatParser, TakesTheLanguage) {
    good_cat(R"("all of it" // a comment
(* one (* inside *) another *)
include "cos.cat"
with co from generate_cos(co0)
let f(a, b) = a | b and g x = x
let two = (po, rf)
let (one, other) = two
let h = fun x -> fun y -> x ; y
let curried x y = x & y
enum fences = 'mb || 'rmb
let kind t = match t with || 'mb -> po || _ -> rf end
let a = let r = po in let s = r | rf in begin s end
let b = if "variant" && not "other" || ("x" && "y") then unknown-name else po
let c = try no-such-name with po
let d = po ^+ | po ^* | po ^? | po^-1 | 0 | {}
let e = R * W | ~R * _ | ~(po | rf)
let t = tag2events('mb)
procedure acyclic-both(r, s) =
  acyclic r
  acyclic s as second
end
call acyclic-both(one, other) as both
instructions F[{'mb, 'rmb}]
if "variant"
  acyclic nothing
else
  acyclic po as yes
end
~empty po as negated
irreflexive f(po, g(rf)) | h po rf | curried po rf | kind 'mb | kind('rmb)
empty R \ R as set
flag ~empty po & rf as flagged
undefined_unless irreflexive a ; b ; c ; d ; e
assert empty domain(po) \ range(rf)
show po, rf as other
unshow co
showall
)");
}

TEST(CatParser, StarIsClosureOrProduct) {
    // A closure before the end of a statement, before an operator and before a negated check; a product before an operand.
    good_cat("let a = po*\nlet b = po* ; rf\nlet c = po*\n~empty a\nlet d = R * ~W\nlet e = R*W & po\nacyclic a | b | c | d | e");
}

TEST(CatParser, PrecedenceOfOperators) {
    // From loosest to tightest: | ; \ & *
    const cat::Model model = good_cat("let a = po | rf ; po\nlet b = po | (rf ; po)\nempty (a \\ b) | (b \\ a) as seq\n"
                                      "let c = po \\ rf & po\nlet d = po \\ (rf & po)\nempty (c \\ d) | (d \\ c) as inter\n"
                                      "let e = po ; rf \\ po\nlet f = po ; (rf \\ po)\nempty (e \\ f) | (f \\ e) as diff\n"
                                      "let g = po & R * W\nlet h = po & (R * W)\nempty (g \\ h) | (h \\ g) as product\n"
                                      "let i = po \\ rf \\ id\nlet j = (po \\ rf) \\ id\nempty (i \\ j) | (j \\ i) as left\n");
    // Equal expressions are one node, so every difference is the empty relation already.
    EXPECT_TRUE(model.is_monotone()) << model.why_not_monotone();
}

} // namespace
} // namespace heddle
