#include "cli/input.hpp"

#include "cli/exit_code.hpp"
#include "frontend/clang/frontend.hpp"
#include "frontend/litmus/litmus_test.hpp"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace heddle::cli {

std::filesystem::path resources() {
    return std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share" / "heddle";
}

void say(const std::string& text) {
    std::fflush(stdout);
    std::fputs(("heddle: " + text).c_str(), stderr);
}

bool is_litmus(const std::vector<std::string>& files) { return files.size() == 1 && files.front().ends_with(".litmus"); }

std::optional<Diagnostic> beyond_check(const Program& program, bool dependencies) {
    for (const Function& f : program.functions) {
        for (std::size_t k = 0; k < f.code.size(); ++k) {
            const Instr& i = f.code[k];
            const bool conditional = (i.op == Op::Load || i.op == Op::Store) && (i.d() & kExclusive) != 0;
            const bool update = i.op == Op::Rmw || i.op == Op::CmpXchg;
            if (conditional || (dependencies && update)) {
                return Diagnostic{.kind = Diagnostic::Kind::Unsupported,
                                  .message = fmt::format("{}: {} of a litmus test; `heddle litmus` has it",
                                                         to_string(program, f.places[k]),
                                                         conditional ? "a conditional store or its load" : "an atomic update")};
            }
        }
    }
    return std::nullopt;
}

Assumption compiled_at(const std::vector<std::string>& flags) {
    std::string level = "-O0"; // what the clang front end asks for
    for (const std::string& flag : flags) {
        level = flag.starts_with("-O") ? flag : level;
    }
    return {.kind = "dependencies",
            .place = {},
            .detail = fmt::format("those of the code that clang made at {} (.ll and .bc files: as they are)", level),
            .standing = true};
}

std::expected<Program, Diagnostic> load_program(const std::vector<std::string>& files, const std::vector<std::string>& flags,
                                                const std::vector<std::string>& arguments, bool verbose, bool quiet_abort) {
    if (is_litmus(files)) {
        auto test = litmus::load(files.front(), {});
        if (!test) {
            return std::unexpected(test.error());
        }
        return std::move(test->program);
    }
    clang_frontend::Timing timing;
    auto program = clang_frontend::load(
        {.files = files, .flags = flags, .arguments = arguments, .resources = resources(), .quiet_abort = quiet_abort}, &timing);
    if (program && verbose) {
        say(fmt::format("clang took {:.1f} ms, Heddle's front end {:.1f} ms\n", timing.clang * 1000, timing.own * 1000));
    }
    return program;
}

int explain(const Diagnostic& diagnostic) {
    say(diagnostic.message + "\n");
    return diagnostic.kind == Diagnostic::Kind::Unsupported ? kExitUnsupported : kExitBadUsage;
}

} // namespace heddle::cli
