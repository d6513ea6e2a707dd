// CatModels: the models written in cat that one command uses, each loaded once.
#pragma once

#include "model/cat/model.hpp"
#include "program/memory_order.hpp"
#include "support/diagnostic.hpp"

#include <expected>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace heddle::cli {

/// The model that litmus tests are judged by unless another is asked for.
std::string default_model(Architecture architecture);

/// The names of the models in a folder, in order.
std::vector<std::string> cat_models_in(const std::filesystem::path& folder);

/// Used by several workers at once.
class CatModels {
  public:
    /// `folder`: where the models are that are known by name.
    explicit CatModels(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// A name ("power"), or a path to a file (it has a slash or ends in .cat). What is returned lives as long as this.
    std::expected<const cat::Model*, Diagnostic> find(const std::string& name);

  private:
    std::filesystem::path folder_;
    std::mutex mutex_;
    std::map<std::string, std::expected<cat::Model, Diagnostic>> loaded_;
};

} // namespace heddle::cli
