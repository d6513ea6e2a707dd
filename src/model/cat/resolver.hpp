// The resolver: a syntax tree to Code. Names are looked up, functions applied, variants decided, files included.
#pragma once

#include "model/cat/code.hpp"
#include "model/cat/syntax.hpp"

#include <functional>
#include <string>

namespace heddle::cat {

/// The text of an included file and the name under which errors speak of it.
struct Source {
    std::string name;
    std::string text;
};

/// Finds an included file. `from` is the file that includes it. Throws Failure.
using Includer = std::function<Source(const std::string& file, const Place& from)>;

struct Resolved {
    std::string title;
    Code code;
};

/// Throws Failure.
Resolved resolve(const Source& model, const Includer& include);

} // namespace heddle::cat
