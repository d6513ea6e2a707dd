// Where the tests find things. The paths of a checkout are in one object file only (paths.cpp), so that ccache can serve all others to another checkout, as when CI
// makes a fresh one.
#pragma once

#include <string>

namespace heddle::test {

/// The top of the checkout.
std::string source_dir();
/// The heddle to test: $HEDDLE_BINARY, or the one of this build.
std::string heddle_binary();
/// The public litmus tests and their recorded results; empty, or a folder that is not there: there are none here.
std::string litmus_corpora();

} // namespace heddle::test
