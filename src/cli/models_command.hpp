// `heddle models`: the memory models, one a line.
#pragma once

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
} // namespace CLI

namespace heddle::cli {

/// Adds the command to `app`; when it is chosen, parsing runs it and sets `status`.
void add_models_command(CLI::App& app, int& status);

} // namespace heddle::cli
