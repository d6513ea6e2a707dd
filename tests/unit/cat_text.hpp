// Models written inside tests.
#pragma once

#include "model/cat/judge.hpp"
#include "model/cat/model.hpp"

#include <gtest/gtest.h>

#include <expected>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace heddle::test {

/// A folder of this process alone, for models.
inline std::filesystem::path cat_folder() {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / ("heddle-cat-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    return folder;
}

inline std::filesystem::path write_cat(const std::string& name, const std::string& text) {
    const std::filesystem::path file = cat_folder() / name;
    std::ofstream(file) << text;
    return file;
}

inline std::expected<cat::Model, Diagnostic> load_cat(const std::string& text) {
    return cat::Model::load(write_cat("model.cat", text), {});
}

/// A model that must be right.
inline cat::Model good_cat(const std::string& text) {
    auto model = load_cat(text);
    if (!model) {
        throw std::runtime_error(model.error().message);
    }
    return *std::move(model);
}

inline bool judged(cat::Judge& judge, const Execution& x) {
    return judge.begin(x) && judge.choose_sources() && judge.choose_coherence();
}

} // namespace heddle::test
