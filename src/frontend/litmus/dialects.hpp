// The dialects of litmus tests, by the word that their files begin with.
#pragma once

#include "frontend/litmus/frame.hpp"
#include "frontend/litmus/litmus_test.hpp"

#include <string_view>

namespace heddle::litmus {

/// Reads the program of a test whose frame is known. Throws Rejected.
using Reader = LitmusTest (*)(const Source& source, const Frame& frame, const Options& options);

/// The reader of a dialect; null when there is none.
Reader find_dialect(std::string_view architecture);

LitmusTest read_c(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_ppc(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_x86(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_x86_64(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_aarch64(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_riscv(const Source& source, const Frame& frame, const Options& options);
LitmusTest read_arm(const Source& source, const Frame& frame, const Options& options);

} // namespace heddle::litmus
