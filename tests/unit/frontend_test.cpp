// The clang front end on small programs: what the lowered code says, and what is said about inputs that are no programs.
#include "frontend/clang/frontend.hpp"
#include "paths.hpp"
#include "program/slot_uses.hpp"
#include "program/verify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace heddle {
namespace {

using clang_frontend::Input;
using testing::HasSubstr;
using testing::Not;

class FrontendTest : public testing::Test {
  protected:
    FrontendTest() : folder_(std::filesystem::temp_directory_path() / ("heddle-frontend-" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~FrontendTest() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }

    static std::expected<Program, Diagnostic> load(std::vector<std::string> files, std::vector<std::string> flags = {}) {
        const auto share = std::filesystem::path(test::heddle_binary()).parent_path().parent_path() / "share" / "heddle";
        return clang_frontend::load({.files = std::move(files), .flags = std::move(flags), .arguments = {}, .resources = share});
    }

    Program program(const std::string& text, const std::string& name = "test.c", std::vector<std::string> flags = {}) {
        auto loaded = load({write(name, text)}, std::move(flags));
        EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
        return loaded ? *std::move(loaded) : Program{};
    }

    std::string error(const std::string& text, const std::string& name) {
        const auto loaded = load({write(name, text)});
        EXPECT_FALSE(loaded.has_value());
        return loaded ? "" : loaded.error().message;
    }

    static const Function* find(const Program& program, const std::string& name) {
        const auto found = std::ranges::find(program.functions, name, &Function::name);
        return found == program.functions.end() ? nullptr : &*found;
    }

    static std::string code(const Program& program, const std::string& name) {
        const Function* function = find(program, name);
        EXPECT_NE(function, nullptr) << name;
        return function ? disassemble(program, FunctionId(static_cast<std::uint32_t>(function - program.functions.data()))) : "";
    }

    static std::vector<Instr> all(const Function& function, Op op) {
        std::vector<Instr> found;
        std::ranges::copy_if(function.code, std::back_inserter(found), [&](const Instr& i) { return i.op == op; });
        return found;
    }

    static const Global* global(const Program& program, const std::string& name) {
        const auto found = std::ranges::find(program.globals, name, &Global::name);
        return found == program.globals.end() ? nullptr : &*found;
    }

    std::filesystem::path folder_;
};

// --- variables ---

TEST_F(FrontendTest, PromotesVariablesThatAreAlwaysAssigned) {
    const Program p =
        program("int f(int n) { int r = 0; while (n > 0) { int square; square = n * n; r += square; n--; } return r; }\n"
                "int main(void) { return f(3); }\n");
    EXPECT_TRUE(find(p, "f")->locals.empty());
    EXPECT_THAT(code(p, "f"), Not(HasSubstr("Local")));
}

TEST_F(FrontendTest, KeepsVariablesInMemoryThatMayBeReadUnassigned) {
    const Program p = program("int f(int n) { int r; if (n) r = 1; return r; }\nint main(void) { return f(3); }\n");
    const Function& f = *find(p, "f");
    ASSERT_EQ(f.locals.size(), 1u);
    EXPECT_EQ(f.locals[0].name, "r");
    EXPECT_EQ(all(f, Op::LoadLocal).size(), 1u);
    EXPECT_GE(all(f, Op::LocalUndef).size(), 1u);
}

TEST_F(FrontendTest, ForgetsAssignmentsOfTheLastRound) {
    const Program p =
        program("int f(int n) { int s = 0; for (int i = 0; i < n; i++) { int x; if (i == 0) x = 5; s += x; } return s; }\n"
                "int main(void) { return f(3); }\n");
    ASSERT_EQ(find(p, "f")->locals.size(), 1u);
    EXPECT_EQ(find(p, "f")->locals[0].name, "x");
}

TEST_F(FrontendTest, PrivateVariablesLiveInTheFrameAndEscapingOnesDoNot) {
    const Program p = program("int *shared;\n"
                              "static int first(const int *p) { return p[0]; }\n"
                              "static int *same(int *p) { return p; }\n"
                              "int main(void) { int kept[4] = {1, 2}; int also[4] = {3}; int gone[4] = {5}; shared = gone;\n"
                              "  return first(kept) + same(also)[0] + gone[1]; }\n");
    const Function& main = *find(p, "main");
    std::vector<std::string> names;
    std::ranges::transform(main.locals, std::back_inserter(names), &Local::name);
    EXPECT_THAT(names, testing::ElementsAre("kept", "also"));
    const std::vector<Instr> objects = all(main, Op::Alloca);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].y(), 1u);
}

TEST_F(FrontendTest, SpawningLetsTheArgumentEscape) {
    const Program p = program("unsigned long __heddle_spawn(void *(*)(void *), void *);\n"
                              "static void *body(void *x) { return x; }\n"
                              "int main(void) { int x[2] = {1, 2}; __heddle_spawn(body, x); return 0; }\n");
    EXPECT_TRUE(find(p, "main")->locals.empty());
    EXPECT_EQ(all(*find(p, "main"), Op::Alloca).size(), 1u);
}

TEST_F(FrontendTest, LargePrivateVariablesAreObjectsOfTheirOwn) {
    const Program p = program("int main(void) { volatile char big[2000]; big[7] = 1; return big[7]; }\n");
    const std::vector<Instr> objects = all(*find(p, "main"), Op::Alloca);
    ASSERT_EQ(objects.size(), 1u);
    EXPECT_EQ(objects[0].y(), 0u);
}

TEST_F(FrontendTest, ThreadLocalVariables) {
    const Program p = program("static _Thread_local int quiet = 4; static _Thread_local int loud; int *hole;\n"
                              "int main(void) { hole = &loud; return ++quiet; }\n");
    ASSERT_EQ(p.thread_locals.size(), 2u);
    for (const ThreadLocal& variable : p.thread_locals) {
        EXPECT_EQ(variable.escapes, variable.name == "loud") << variable.name;
    }
    EXPECT_THAT(code(p, "main"), HasSubstr("TlsAddr"));
}

// --- control ---

TEST_F(FrontendTest, SwapsPhisThroughATemporary) {
    const Program p = program("define i32 @f(i32 %n) {\n"
                              "entry:\n  br label %loop\n"
                              "loop:\n"
                              "  %a = phi i32 [ 1, %entry ], [ %b, %loop ]\n"
                              "  %b = phi i32 [ 2, %entry ], [ %a, %loop ]\n"
                              "  %i = phi i32 [ %n, %entry ], [ %j, %loop ]\n"
                              "  %j = sub i32 %i, 1\n"
                              "  %more = icmp ne i32 %j, 0\n"
                              "  br i1 %more, label %loop, label %out\n"
                              "out:\n  ret i32 %a\n}\n"
                              "define i32 @main() {\n  %r = call i32 @f(i32 5)\n  ret i32 %r\n}\n",
                              "swap.ll");
    const Function& f = *find(p, "f");
    // The swap: t = x; x = y; y = t.
    const auto at = std::ranges::search(f.code, std::vector{Op::Mov, Op::Mov, Op::Mov}, {}, &Instr::op);
    bool found = false;
    for (std::size_t i = 0; i + 2 < f.code.size(); ++i) {
        const Instr& aside = f.code[i];
        const Instr& over = f.code[i + 1];
        const Instr& back = f.code[i + 2];
        found |= aside.op == Op::Mov && over.op == Op::Mov && back.op == Op::Mov && over.dst == aside.a && back.dst == over.a &&
                 back.a == aside.dst;
    }
    EXPECT_FALSE(at.empty());
    EXPECT_TRUE(found) << code(p, "f");
}

TEST_F(FrontendTest, ComparisonsMergeWithTheirBranch) {
    const Program p = program("int f(int a, int b) { if (a > b) return 1; return 2; }\nint main(void) { return f(1, 2); }\n");
    const std::vector<Instr> branches = all(*find(p, "f"), Op::BrSlt);
    ASSERT_EQ(branches.size(), 1u);
    EXPECT_EQ(branches[0].a, 1); // b < a
    EXPECT_EQ(branches[0].b, 0);
    EXPECT_EQ(branches[0].dst, 32);
}

TEST_F(FrontendTest, ComputedGotoIsASwitch) {
    const Program p = program("int f(int n) { static void *to[] = {&&a, &&b}; goto *to[n]; a: return 1; b: return 2; }\n"
                              "int main(void) { return f(1); }\n");
    EXPECT_EQ(all(*find(p, "f"), Op::Switch).size(), 1u);
    EXPECT_TRUE(all(*find(p, "f"), Op::Unsupported).empty());
}

TEST_F(FrontendTest, WideSwitchesCompareOneByOne) {
    const Program p = program("int f(unsigned __int128 v) { switch (v) { case 1: return 1; case (unsigned __int128)1 << 90: "
                              "return 2; default: return 3; } }\n"
                              "int main(void) { return f(1); }\n");
    EXPECT_EQ(all(*find(p, "f"), Op::WCmpEq).size(), 2u);
}

// --- fences and assembly ---

TEST_F(FrontendTest, FencesInAssembly) {
    const Program p =
        program("#define ASM(s) __asm__ __volatile__(s ::: \"memory\")\n"
                "int main(void) { int x = 4; ASM(\"\"); ASM(\"mfence\"); ASM(\"MFENCE;\\n\"); ASM(\"lwsync\"); ASM(\"dmb  "
                "ishst\"); ASM(\"dmb sy\");\n"
                "  ASM(\"lock; addl $0,0(%%rsp)\"); ASM(\"pause\"); ASM(\"isb\"); __asm__(\"\" : \"+r\"(x)); return x; }\n");
    std::vector<std::pair<FenceKind, Order>> fences;
    for (const Instr& fence : all(*find(p, "main"), Op::Fence)) {
        fences.emplace_back(static_cast<FenceKind>(fence.d()), static_cast<Order>(fence.c()));
    }
    using enum FenceKind;
    const std::vector<std::pair<FenceKind, Order>> expected = {
        {MFence, Order::SeqCst}, {MFence, Order::SeqCst}, {LwSync, Order::NonAtomic}, {DmbSt, Order::NonAtomic},
        {DmbSy, Order::SeqCst},  {MFence, Order::SeqCst}, {Isb, Order::NonAtomic}};
    EXPECT_EQ(fences, expected);
    EXPECT_THAT(code(p, "main"), HasSubstr("__heddle_yield"));
    EXPECT_THAT(code(p, "main"), Not(HasSubstr("Unsupported")));
}

TEST_F(FrontendTest, FencesOfC11) {
    const Program p = program("#include <stdatomic.h>\nint main(void) { atomic_thread_fence(memory_order_acquire); "
                              "atomic_signal_fence(memory_order_seq_cst);\n"
                              "  __sync_synchronize(); return 0; }\n");
    const std::vector<Instr> fences = all(*find(p, "main"), Op::Fence);
    ASSERT_EQ(fences.size(), 2u);
    EXPECT_EQ(static_cast<Order>(fences[0].c()), Order::Acquire);
    EXPECT_EQ(static_cast<Order>(fences[1].c()), Order::SeqCst);
}

TEST_F(FrontendTest, UnknownAssemblyIsNamedWhereItStands) {
    const Program p = program("int main(void) { int x;\n  __asm__(\"movl $7, %0\" : \"=r\"(x));\n  return x; }\n");
    const Function& main = *find(p, "main");
    const auto at = std::ranges::find(main.code, Op::Unsupported, &Instr::op);
    ASSERT_NE(at, main.code.end());
    EXPECT_EQ(p.messages[at->imm], "inline assembly \"movl $$7, $0\"");
    EXPECT_EQ(p.places[main.places[static_cast<std::size_t>(at - main.code.begin())].index].line, 2u);
}

// --- calls ---

TEST_F(FrontendTest, UndefinedFunctionsAreRefusedOnlyWhereTheyAreCalled) {
    const Program p =
        program("int nowhere(int);\nint main(int argc, char **argv) { (void)argv; return argc > 5 ? nowhere(1) : 0; }\n");
    EXPECT_THAT(code(p, "main"), HasSubstr("\"call of undefined function 'nowhere'\""));
}

TEST_F(FrontendTest, UndefinedFunctionsMayHaveTheirAddressTaken) {
    const Program p = program("int nowhere(int);\nint (*table[])(int) = {nowhere};\nint main(void) { return table[0](1); }\n");
    EXPECT_THAT(code(p, "nowhere"), HasSubstr("\"call of undefined function 'nowhere'\""));
    EXPECT_EQ(find(p, "nowhere")->params, 1u);
}

TEST_F(FrontendTest, UndefinedVariables) {
    const Program p = program("extern int nothing;\nint main(void) { return nothing; }\n");
    EXPECT_THAT(code(p, "main"), HasSubstr("\"undefined variable 'nothing'\""));
    EXPECT_THAT(error("extern int nothing;\nint *p = &nothing;\nint main(void) { return *p; }\n", "bad.c"),
                HasSubstr("undefined variable 'nothing', in the initial value of 'p'"));
}

TEST_F(FrontendTest, WeakUndefinedSymbolsAreNull) {
    const Program p = program("extern int maybe(void) __attribute__((weak));\nint main(void) { return maybe ? maybe() : 3; }\n");
    EXPECT_THAT(code(p, "main"), Not(HasSubstr("Unsupported")));
}

TEST_F(FrontendTest, UnnamedArgumentsLieAsOnTheStack) {
    const Program p = program("#include <stdarg.h>\nstruct Big { long v[4]; };\n"
                              "int take(int n, ...) { va_list ap; va_start(ap, n); va_end(ap); return n; }\n"
                              "int main(void) { struct Big b = {{1}}; return take(1, 2, 3.0, 4.0L, b, (char)5); }\n");
    const Function& main = *find(p, "main");
    // int at 0, double at 8, long double at 16 (16 bytes), the struct at 32 (32 bytes), int at 64.
    const auto area = std::ranges::find(main.locals, "unnamed arguments", &Local::name);
    ASSERT_NE(area, main.locals.end());
    EXPECT_EQ(area->size, 72u);
    EXPECT_EQ(area->align, 16u);
    std::vector<std::pair<unsigned, unsigned>> stores;
    for (const Instr& store : all(main, Op::StoreLocal)) {
        if (store.a == area - main.locals.begin()) {
            stores.emplace_back(store.x(), store.e());
        }
    }
    const std::vector<std::pair<unsigned, unsigned>> expected = {{0, 4}, {8, 8}, {16, 10}, {64, 4}};
    EXPECT_EQ(stores, expected);
    EXPECT_EQ(find(p, "take")->params, 2u);
    EXPECT_TRUE(find(p, "take")->variadic);
}

TEST_F(FrontendTest, StructsPassedInMemoryAreCopiedByTheCallee) {
    const Program p = program("struct Big { long v[4]; };\nstatic long f(struct Big b) { b.v[0] = 9; return b.v[1]; }\n"
                              "int main(void) { struct Big b = {{1, 2}}; return (int)f(b); }\n");
    EXPECT_EQ(all(*find(p, "f"), Op::MemCpy).size(), 1u);
    EXPECT_EQ(find(p, "f")->locals.size(), 1u);
}

TEST_F(FrontendTest, CallsThatDisagreeWithTheDefinition) {
    write("callee.c", "long two(long a, long b) { return a + b; }\nint one(int a) { return a; }\n");
    const auto p = load({write("caller.c", "int two();\nint one();\nint main(void) { return two(1, 2) + one(1, 2); }\n"),
                         (folder_ / "callee.c").string()},
                        {"-w"});
    ASSERT_TRUE(p.has_value()) << p.error().message;
    EXPECT_THAT(code(*p, "main"), HasSubstr("\"call of 'one' with 2 arguments; it takes 1\""));
    EXPECT_THAT(code(*p, "main"), HasSubstr("two(#1, #2)"));
}

TEST_F(FrontendTest, MainMayTakeNothingOrReturnNothing) {
    EXPECT_EQ(find(program("int main() { return 0; }\n"), "main")->params, 0u);
    EXPECT_EQ(find(program("void main(int argc) { }\n", "void.c", {"-w"}), "main")->params, 1u);
}

TEST_F(FrontendTest, TheUsersDefinitionWinsOverTheRuntimes) {
    const Program p = program("#include <stddef.h>\nchar heap[100]; void *malloc(size_t n) { return heap + n; }\n"
                              "int main(void) { return malloc(3) == heap; }\n");
    EXPECT_FALSE(find(p, "malloc")->runtime);
    EXPECT_FALSE(find(p, "main")->runtime);
    EXPECT_TRUE(p.function(p.start).runtime);
}

TEST_F(FrontendTest, AtomicLibraryCallsAreInstructions) {
    const Program p = program("@x = global i64 0\n@e = global i64 0\n@d = global i64 0\n"
                              "declare i64 @__atomic_load_8(ptr, i32)\n"
                              "declare i1 @__atomic_compare_exchange(i64, ptr, ptr, ptr, i32, i32)\n"
                              "define i32 @main() {\n"
                              "  %v = call i64 @__atomic_load_8(ptr @x, i32 2)\n"
                              "  %ok = call i1 @__atomic_compare_exchange(i64 8, ptr @x, ptr @e, ptr @d, i32 5, i32 0)\n"
                              "  %n = trunc i64 %v to i32\n  %b = zext i1 %ok to i32\n  %r = add i32 %n, %b\n  ret i32 %r\n}\n",
                              "atomic.ll");
    EXPECT_THAT(code(p, "main"), HasSubstr("8 bytes, 64 bits, acquire"));
    EXPECT_THAT(code(p, "main"), Not(HasSubstr("Unsupported")));
    EXPECT_THAT(code(p, "main"), HasSubstr("CmpXchg"));
}

// --- memory ---

TEST_F(FrontendTest, InitialValuesHoldAddresses) {
    const Program p = program("int x[4] = {1, 2, 3, 4}; static int f(void) { return 1; }\n"
                              "struct { int *p; int (*f)(void); long n; char s[4]; } all = {&x[2], f, (long)&x[1], \"ab\"};\n"
                              "int main(void) { return *all.p; }\n");
    const Global* variable = global(p, "x");
    const Global* target = global(p, "all");
    ASSERT_TRUE(variable && target);
    const auto word = [&](std::size_t at) {
        std::uint64_t value = 0;
        std::copy_n(target->init.begin() + static_cast<std::ptrdiff_t>(at), 8, reinterpret_cast<std::uint8_t*>(&value));
        return value;
    };
    ASSERT_EQ(target->init.size(), 32u);
    EXPECT_EQ(word(0), variable->address + 8);
    EXPECT_EQ(kind_of(word(8)), AddressKind::Function);
    EXPECT_EQ(p.function(FunctionId(static_region_of(word(8)))).name, "f");
    EXPECT_EQ(word(16), variable->address + 4);
    EXPECT_EQ(target->init[24], 'a');
}

TEST_F(FrontendTest, OnlyWhatIsReachedIsInTheProgram) {
    const Program p = program("int unused_variable = 3; int unused(void) { return unused_variable; }\nconst int c[2] = {0, 0};\n"
                              "int main(int argc, char **argv) { (void)argv; return c[argc & 1]; }\n");
    EXPECT_EQ(find(p, "unused"), nullptr);
    EXPECT_EQ(global(p, "unused_variable"), nullptr);
    ASSERT_NE(global(p, "c"), nullptr);
    EXPECT_TRUE(global(p, "c")->constant);
    EXPECT_EQ(kind_of(global(p, "c")->address), AddressKind::Constant);
}

TEST_F(FrontendTest, AtomicsKeepTheirOrders) {
    const Program p = program("#include <stdatomic.h>\natomic_int x; _Atomic(__int128) w;\n"
                              "int main(void) { int e = 0; atomic_store_explicit(&x, 1, memory_order_release);\n"
                              "  atomic_compare_exchange_weak_explicit(&x, &e, 2, memory_order_acq_rel, memory_order_relaxed);\n"
                              "  w = 3; return atomic_load_explicit(&x, memory_order_acquire); }\n");
    const Function& main = *find(p, "main");
    const Instr exchange = all(main, Op::CmpXchg).at(0);
    EXPECT_EQ(static_cast<Order>(exchange.d() & 0xff), Order::AcqRel);
    EXPECT_EQ(exchange.f(), 0x100 | static_cast<int>(Order::Relaxed));
    EXPECT_THAT(code(p, "main"), HasSubstr("4 bytes, release"));
    EXPECT_THAT(code(p, "main"), HasSubstr("16 bytes, seq_cst"));
    EXPECT_THAT(code(p, "main"), HasSubstr("4 bytes, 32 bits, acquire"));
}

TEST_F(FrontendTest, UnsupportedTypesAreNamed) {
    const Program p = program("int main(void) { __float128 q = 1; volatile __float128 r = q * 2; return (int)r; }\n");
    EXPECT_THAT(code(p, "main"), HasSubstr("\"a value of type fp128\""));
}

TEST_F(FrontendTest, PlacesNameTheFile) {
    const Program p = program("int f(int x) {\n  return x /\n    2; }\nint main(void) { return f(4); }\n");
    const Function& f = *find(p, "f");
    const auto at = std::ranges::find(f.code, Op::SDiv, &Instr::op);
    ASSERT_NE(at, f.code.end());
    EXPECT_EQ(to_string(p, f.places[static_cast<std::size_t>(at - f.code.begin())]), (folder_ / "test.c").string() + ":2:12");
    EXPECT_EQ(p.places[f.place.index].line, 1u);
}

// --- inputs that are no programs ---

TEST_F(FrontendTest, BadInputs) {
    const auto message = [](const std::expected<Program, Diagnostic>& loaded) {
        return loaded ? "loaded" : loaded.error().message;
    };
    EXPECT_THAT(message(load({"/no/such/file.c"})), HasSubstr("/no/such/file.c: no such file"));
    EXPECT_THAT(message(load({folder_.string()})), HasSubstr("is a directory"));
    EXPECT_THAT(error("", "text.txt"), HasSubstr("unknown kind of file"));
    EXPECT_THAT(error("int main(void) { return }\n", "broken.c"), HasSubstr("clang could not compile"));
    EXPECT_THAT(error("int f(void) { return 1; }\n", "nomain.c"), HasSubstr("nomain.c has no function main"));
    EXPECT_THAT(error("define i32 @main() {\n  ret i32 %x\n}\n", "bad.ll"),
                HasSubstr("bad.ll:2:11: error: use of undefined value '%x'"));
    EXPECT_THAT(
        error("define i32 @main() {\nentry:\n  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  ret i32 %a\n}\n", "dominance.ll"),
        HasSubstr("invalid LLVM code"));
    EXPECT_THAT(error("garbage", "bad.bc"), HasSubstr("bad.bc: "));
    EXPECT_THAT(error(std::string("BC\xC0\xDE\x35\x14\0\0\x05\0", 10), "cut.bc"), HasSubstr("cut.bc: "));
    EXPECT_THAT(message(load({write("a.c", "int x = 1;\nint main(void) { return x; }\n"), write("b.c", "int x = 2;\n")})),
                HasSubstr("symbol multiply defined"));
    EXPECT_THAT(message(load({write("o.c", "int main(void) { return 0; }\n")}, {"-fsyntax-only"})),
                HasSubstr("clang wrote no bitcode"));
}

TEST_F(FrontendTest, SeveralFilesAreLinked) {
    const auto p =
        load({write("one.c", "int two(void);\nstatic int f(void) { return 1; }\nint main(void) { return f() + two(); }\n"),
              write("two.c", "static int f(void) { return 2; }\nint two(void) { return f(); }\n")});
    ASSERT_TRUE(p.has_value()) << p.error().message;
    EXPECT_EQ(std::ranges::count(p->functions, "f", &Function::name), 2);
    EXPECT_TRUE(verify(*p).empty());
}

TEST_F(FrontendTest, TheVerifierSeesBrokenCode) {
    Program p = program("int main(void) { return 0; }\n");
    Function& main = p.functions[static_cast<std::size_t>(find(p, "main") - p.functions.data())];
    const Function good = main;
    main.code.insert(main.code.begin(), Instr{Op::Mov, main.first_constant, 0, 0, 0});
    EXPECT_FALSE(verify(p).empty());
    main = good;
    main.code.back() = Instr{Op::Jump, 0, 0, 0, 1000};
    EXPECT_FALSE(verify(p).empty());
}

} // namespace
} // namespace heddle
