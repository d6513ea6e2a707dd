#include "frontend/clang/clang_process.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace heddle::clang_frontend {

namespace {

constexpr const char* kClang = "clang-19";

std::string contents(int file) {
    struct stat status{};
    std::string text;
    if (fstat(file, &status) != 0) {
        return text;
    }
    text.resize(static_cast<std::size_t>(status.st_size));
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = pread(file, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (n <= 0) {
            break;
        }
        done += static_cast<std::size_t>(n);
    }
    text.resize(done);
    return text;
}

void write_all(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t n = write(file, text.data() + done, text.size() - done);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            return;
        }
        done += static_cast<std::size_t>(n);
    }
}

Diagnostic cannot_start(int error) {
    if (error == ENOENT) {
        return {Diagnostic::Kind::BadInput,
                std::string(kClang) +
                    " is not installed or not on the PATH; it compiles the checked program (Debian: apt-get install clang-19)"};
    }
    return {Diagnostic::Kind::BadInput, std::string("cannot start ") + kClang + ": " + std::strerror(error)};
}

} // namespace

std::expected<ClangProcess, Diagnostic> ClangProcess::start(const std::vector<std::string>& arguments, bool hold_messages) {
    ClangProcess process;
    process.output_ = memfd_create("heddle-bitcode", MFD_CLOEXEC);
    if (hold_messages) {
        process.messages_ = memfd_create("heddle-messages", MFD_CLOEXEC);
    }
    if (process.output_ < 0 || (hold_messages && process.messages_ < 0)) {
        return std::unexpected(cannot_start(errno));
    }
    std::vector<char*> argv;
    argv.push_back(const_cast<char*>(kClang)); // posix_spawn's signature; it does not write
    for (const std::string& argument : arguments) {
        argv.push_back(const_cast<char*>(argument.c_str()));
    }
    argv.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, process.output_, STDOUT_FILENO);
    if (hold_messages) {
        posix_spawn_file_actions_adddup2(&actions, process.messages_, STDERR_FILENO);
    }
    const int error = posix_spawnp(&process.pid_, kClang, &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        process.pid_ = -1;
        return std::unexpected(cannot_start(error));
    }
    return process;
}

ClangProcess::ClangProcess(ClangProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), output_(std::exchange(other.output_, -1)),
      messages_(std::exchange(other.messages_, -1)) {}

ClangProcess::~ClangProcess() {
    if (pid_ > 0) { // left behind by an earlier failure: its result is not wanted any more
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    for (const int file : {output_, messages_}) {
        if (file >= 0) {
            close(file);
        }
    }
}

std::expected<std::string, int> ClangProcess::finish() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    if (messages_ >= 0) {
        write_all(STDERR_FILENO, contents(messages_));
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        return std::unexpected(status);
    }
    return contents(output_);
}

} // namespace heddle::clang_frontend
