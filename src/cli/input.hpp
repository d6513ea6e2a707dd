// What every command does first: load the program that the user named, or say why that cannot be.
#pragma once

#include "program/program.hpp"
#include "support/diagnostic.hpp"

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

/// share/heddle beside the bin folder that this executable is in, in a build tree as in an installation.
std::filesystem::path resources();

/// A message of Heddle itself, on stderr. `text` ends with a newline.
void say(const std::string& text);

/// A single file called .litmus is a litmus test: a program that fails when its question's state is reached. Otherwise `flags` are clang's, `arguments` the
/// program's. `verbose`: says where the time went. `quiet_abort`: abort ends the program and is no error.
std::expected<Program, Diagnostic> load_program(const std::vector<std::string>& files, const std::vector<std::string>& flags,
                                                const std::vector<std::string>& arguments, bool verbose,
                                                bool quiet_abort = false);

/// Says why the program was not loaded; the exit code for it.
/// Is it a litmus test?
bool is_litmus(const std::vector<std::string>& files);
/// What of a litmus test only `heddle litmus` models, if there is such: conditional stores, and with `dependencies` updates in one instruction.
std::optional<Diagnostic> beyond_check(const Program& program, bool dependencies);

/// At which optimisation level the program was compiled: dependencies depend on it.
Assumption compiled_at(const std::vector<std::string>& flags);

int explain(const Diagnostic& diagnostic);

} // namespace heddle::cli
