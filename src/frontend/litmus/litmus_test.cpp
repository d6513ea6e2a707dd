#include "frontend/litmus/litmus_test.hpp"

#include "frontend/litmus/dialects.hpp"
#include "frontend/litmus/frame.hpp"

#include <fstream>
#include <sstream>

#include <fmt/format.h>

namespace heddle::litmus {

std::expected<LitmusTest, Diagnostic> parse(std::string_view text, const std::string& file, const Options& options) {
    try {
        const Source source(file, text);
        const Frame frame = parse_frame(source);
        const Reader read = find_dialect(frame.architecture);
        if (read == nullptr) {
            source.unsupported(0, fmt::format("the architecture `{}`", frame.architecture));
        }
        return read(source, frame, options);
    } catch (const Rejected& rejected) {
        return std::unexpected(rejected.diagnostic);
    }
}

std::expected<LitmusTest, Diagnostic> load(const std::string& file, const Options& options) {
    std::ifstream in(file);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) {
        return std::unexpected(Diagnostic{.kind = Diagnostic::Kind::BadInput, .message = fmt::format("cannot read {}", file)});
    }
    return parse(text.str(), file, options);
}

} // namespace heddle::litmus
