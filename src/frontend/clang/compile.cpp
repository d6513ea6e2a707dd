#include "frontend/clang/compile.hpp"

#include "frontend/clang/clang_process.hpp"
#include "frontend/clang/llvm_errors.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <filesystem>
#include <set>
#include <string_view>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace heddle::clang_frontend {

namespace {

namespace fs = std::filesystem;

enum class Language { C, Assembly, Bitcode };

Diagnostic bad_input(std::string message) { return {Diagnostic::Kind::BadInput, std::move(message)}; }

std::expected<Language, Diagnostic> language_of(const std::string& file) {
    const std::string suffix = fs::path(file).extension().string();
    if (suffix == ".c" || suffix == ".i") {
        return Language::C;
    }
    if (suffix == ".ll") {
        return Language::Assembly;
    }
    if (suffix == ".bc") {
        return Language::Bitcode;
    }
    for (const char* cxx : {".cc", ".cpp", ".cxx", ".C", ".ii"}) {
        if (suffix == cxx) {
            return std::unexpected(
                Diagnostic{Diagnostic::Kind::Unsupported, file + ": C++ programs are not supported yet, only C"});
        }
    }
    return std::unexpected(bad_input(file + ": unknown kind of file; expected .c, .i, .ll or .bc"));
}

std::expected<Language, Diagnostic> examine(const std::string& file) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found) {
        return std::unexpected(bad_input(file + ": no such file"));
    }
    if (error) {
        return std::unexpected(bad_input(file + ": " + error.message()));
    }
    if (fs::is_directory(status)) {
        return std::unexpected(bad_input(file + " is a directory; name the source files in it"));
    }
    const auto language = language_of(file);
    if (language && access(file.c_str(), R_OK) != 0) {
        return std::unexpected(bad_input(file + " cannot be read: " + std::strerror(errno)));
    }
    return language;
}

/// Whether the last -O among the flags asks for optimisation.
bool optimises(const std::vector<std::string>& flags) {
    bool result = false;
    for (const std::string& flag : flags) {
        if (flag.starts_with("-O")) {
            result = flag != "-O0";
        }
    }
    return result;
}

/// The names of the form __VERIFIER_atomic_something in the file's text (headers are not looked at), begin and end apart: SV-COMP's
/// functions that run as one step. Clang must not inline them: nothing would say any more where the step begins and ends.
std::set<std::string> atomic_functions(const std::string& file) {
    constexpr std::string_view kPrefix = "__VERIFIER_atomic_";
    std::set<std::string> names;
    const auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
        return names; // clang says why
    }
    const std::string_view text((*buffer)->getBufferStart(), (*buffer)->getBufferSize());
    for (std::size_t at = text.find(kPrefix); at != std::string_view::npos; at = text.find(kPrefix, at + 1)) {
        const std::string_view rest = text.substr(at);
        const auto end = std::ranges::find_if_not(rest, [](char c) { return llvm::isAlnum(c) || c == '_'; });
        names.emplace(rest.begin(), end);
    }
    names.erase("__VERIFIER_atomic_begin");
    names.erase("__VERIFIER_atomic_end");
    return names;
}

/// Our flags, then the user's, which so win.
std::vector<std::string> clang_arguments(const std::string& file, const Input& input, bool hold_messages) {
    std::vector<std::string> arguments = {
        "-c", "-emit-llvm", "-o", "-", "-g", "-O0",
        // -O0 would mark every function as not to be touched by passes.
        "-Xclang", "-disable-O0-optnone",
        // Guards and checking wrappers of the C library are not the program's; its bugs are ours to find.
        "-fno-stack-protector", "-U_FORTIFY_SOURCE",
        // 16-byte atomics as instructions instead of library calls.
        "-mcx16",
        // If the user optimises: vectors would only be taken apart again.
        "-fno-vectorize", "-fno-slp-vectorize",
        // Flags of the link step (-lm, -pthread) are common after `--` and mean nothing here.
        "-Qunused-arguments", "-D__HEDDLE__=1", "-I" + (input.resources / "include").string()};
    if (!optimises(input.flags)) {
        // Makes clang say where the lifetime of a variable starts and ends, which it does otherwise only when optimising: without the
        // marks a variable would keep its value from one round of a loop to the next.
        arguments.insert(arguments.end(), {"-Xclang", "-fsanitize-address-use-after-scope"});
    } else {
        for (const std::string& name : atomic_functions(file)) {
            arguments.insert(arguments.end(), {"-mllvm", "-force-attribute=" + name + ":noinline"});
        }
        // That these are called is what counts, even where they do nothing (link.cpp).
        for (const std::string name : {"reach_error", "__VERIFIER_error"}) {
            arguments.insert(arguments.end(), {"-mllvm", "-force-attribute=" + name + ":noinline", "-mllvm",
                                               "-force-attribute=" + name + ":optnone"});
        }
    }
    if (fs::path(file).extension() == ".i") {
        // Preprocessed elsewhere, mostly by GCC with its C library's headers: what only GCC knows must not stop clang, nor what older compilers
        // let pass with a warning, nor that in C as it was an inline function is also one like any other.
        arguments.insert(arguments.end(),
                         {"-x", "c", "-include", (input.resources / "include" / "heddle" / "preprocessed.h").string(),
                          "-fgnu89-inline", "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
                          "-Wno-error=int-conversion", "-Wno-error=incompatible-function-pointer-types",
                          "-Wno-incompatible-library-redeclaration", "-Wno-builtin-requires-header", "-Wno-ignored-attributes",
                          "-Wno-unknown-attributes"});
    }
    if (hold_messages && isatty(STDERR_FILENO) != 0) {
        arguments.emplace_back("-fcolor-diagnostics"); // clang sees a memory file, the messages end on a terminal
    }
    arguments.insert(arguments.end(), input.flags.begin(), input.flags.end());
    arguments.push_back(file);
    return arguments;
}

std::expected<std::unique_ptr<llvm::Module>, Diagnostic> checked(std::unique_ptr<llvm::Module> module, const std::string& file) {
    std::string problems;
    llvm::raw_string_ostream out(problems);
    if (llvm::verifyModule(*module, &out)) {
        return std::unexpected(bad_input(file + ": invalid LLVM code: " + llvm::StringRef(problems).rtrim().str()));
    }
    return module;
}

std::expected<std::unique_ptr<llvm::Module>, Diagnostic> parse_bitcode(llvm::StringRef bytes, const std::string& file,
                                                                       llvm::LLVMContext& context) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module = llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, file), context);
    if (!module) {
        return std::unexpected(bad_input(file + ": " + llvm::toString(module.takeError())));
    }
    return std::move(*module);
}

/// Whether LLVM's reader comes back from the file at all: damaged bitcode can crash it. Tried in a child process, so that what follows is
/// a message and not a crash of ours. (Not needed for what clang has just written.)
bool can_be_read(llvm::StringRef bytes, const std::string& file) {
    const pid_t child = fork();
    if (child < 0) {
        return true;
    }
    if (child == 0) {
        for (const int fatal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE}) {
            std::signal(fatal, SIG_DFL);
        }
        close(STDERR_FILENO);
        try {
            llvm::LLVMContext context;
            if (auto module = parse_bitcode(bytes, file, context)) {
                llvm::verifyModule(**module);
            }
        } catch (const FatalLlvmError&) {
            _exit(0); // has words of its own, and the parent will hear them
        }
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::expected<std::unique_ptr<llvm::Module>, Diagnostic> parse_llvm(Language language, const std::string& file,
                                                                    llvm::LLVMContext& context) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer) {
        return std::unexpected(bad_input(file + ": " + buffer.getError().message()));
    }
    if (language == Language::Bitcode) {
        if (!can_be_read((*buffer)->getBuffer(), file)) {
            return std::unexpected(bad_input(file + ": damaged bitcode; LLVM cannot read it"));
        }
        auto module = parse_bitcode((*buffer)->getBuffer(), file, context);
        return module ? checked(std::move(*module), file) : std::move(module);
    }
    llvm::SMDiagnostic problem;
    std::unique_ptr<llvm::Module> module = llvm::parseAssembly((*buffer)->getMemBufferRef(), problem, context);
    if (!module) {
        std::string text;
        llvm::raw_string_ostream out(text);
        problem.print(nullptr, out, /*ShowColors=*/false);
        return std::unexpected(bad_input(llvm::StringRef(text).rtrim().str()));
    }
    return checked(std::move(module), file);
}

/// Runs clang over the C files, a few at a time.
class Compilations {
  public:
    Compilations(const Input& input, const std::vector<Language>& languages) : input_(input) {
        for (std::size_t i = 0; i < languages.size(); ++i) {
            if (languages[i] == Language::C) {
                waiting_.push_back(&input.files[i]);
            }
        }
        hold_messages_ = waiting_.size() > 1;
    }

    /// The bitcode of the next C file in order.
    std::expected<std::string, Diagnostic> next() {
        const std::size_t width = std::max(1u, std::thread::hardware_concurrency());
        while (!waiting_.empty() && running_.size() < width) {
            auto process = ClangProcess::start(clang_arguments(*waiting_.front(), input_, hold_messages_), hold_messages_);
            if (!process) {
                return std::unexpected(process.error());
            }
            running_.push_back({waiting_.front(), std::move(*process)});
            waiting_.pop_front();
        }
        const std::string& file = *running_.front().file;
        auto bitcode = running_.front().process.finish();
        running_.pop_front();
        if (!bitcode) {
            return std::unexpected(bad_input("clang could not compile " + file));
        }
        if (bitcode->empty()) {
            return std::unexpected(bad_input("clang wrote no bitcode for " + file +
                                             "; flags such as -o, -S, -E or -fsyntax-only do not belong after --"));
        }
        return std::move(*bitcode);
    }

  private:
    struct Running {
        const std::string* file;
        ClangProcess process;
    };
    const Input& input_;
    std::deque<const std::string*> waiting_;
    std::deque<Running> running_;
    bool hold_messages_ = false;
};

} // namespace

std::expected<Modules, Diagnostic> read_modules(const Input& input, llvm::LLVMContext& context, double& clang_seconds) {
    if (input.files.empty()) {
        return std::unexpected(bad_input("no input file"));
    }
    std::vector<Language> languages;
    for (const std::string& file : input.files) {
        const auto language = examine(file);
        if (!language) {
            return std::unexpected(language.error());
        }
        languages.push_back(*language);
    }
    Compilations compilations(input, languages);
    Modules modules;
    for (std::size_t i = 0; i < input.files.size(); ++i) {
        const std::string& file = input.files[i];
        std::expected<std::unique_ptr<llvm::Module>, Diagnostic> module;
        if (languages[i] == Language::C) {
            const auto start = std::chrono::steady_clock::now();
            const auto bitcode = compilations.next();
            clang_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            if (!bitcode) {
                return std::unexpected(bitcode.error());
            }
            module = parse_bitcode(*bitcode, file, context);
        } else {
            module = parse_llvm(languages[i], file, context);
        }
        if (!module) {
            return std::unexpected(module.error());
        }
        modules.push_back(std::move(*module));
    }
    return modules;
}

} // namespace heddle::clang_frontend
