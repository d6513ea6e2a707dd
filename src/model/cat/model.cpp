#include "model/cat/model.hpp"

#include "model/cat/analysis.hpp"
#include "model/cat/code.hpp"
#include "model/cat/names.hpp"
#include "model/cat/resolver.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>

namespace heddle::cat {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> text_in(const fs::path& file) {
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) {
        return std::nullopt;
    }
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return in ? std::optional(text.str()) : std::nullopt;
}

Source included(const std::string& name, const Place& from, const std::vector<fs::path>& folders) {
    std::vector<fs::path> places{fs::path(*from.file).parent_path()};
    places.insert(places.end(), folders.begin(), folders.end());
    for (const fs::path& folder : places) {
        if (auto text = text_in(folder / name)) {
            return {(folder / name).lexically_normal().string(), std::move(*text)};
        }
    }
    fail(from, fmt::format("the included file \"{}\" was not found", name));
}

} // namespace

std::expected<Model, Diagnostic> Model::load(const fs::path& file, const std::vector<fs::path>& folders) {
    auto text = text_in(file);
    if (!text) {
        return std::unexpected(Diagnostic{Diagnostic::Kind::BadInput, fmt::format("{}: cannot be read", file.string())});
    }
    try {
        Resolved resolved = resolve({file.string(), std::move(*text)},
                                    [&](const std::string& name, const Place& from) { return included(name, from, folders); });
        Model model;
        model.name_ = resolved.title.empty() ? file.stem().string() : std::move(resolved.title);
        resolved.code.implies_coherence = cat::implies_coherence(resolved.code);
        resolved.code.not_monotone = cat::why_not_monotone(resolved.code);
        model.code_ = std::make_shared<const Code>(std::move(resolved.code));
        return model;
    } catch (const Failure& failure) {
        return std::unexpected(failure.diagnostic);
    }
}

bool Model::speaks_of(Architecture architecture) const {
    return std::ranges::any_of(code_->nodes,
                               [&](const Node& n) { return n.op == Op::BaseSet && is_of_only(n.index, architecture); });
}

bool Model::implies_coherence() const { return code_->implies_coherence; }
bool Model::is_monotone() const { return code_->not_monotone.empty(); }
std::string Model::why_not_monotone() const { return code_->not_monotone; }

} // namespace heddle::cat
