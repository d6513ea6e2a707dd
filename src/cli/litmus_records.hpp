// LitmusRecords: recorded results of litmus tests, one JSON object a line, to compare with.
#pragma once

#include "report/herd.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::cli {

class LitmusRecords {
  public:
    /// A record has name, file (relative to the folder of the records), verdict, positive, negative, states. Errors name file and line.
    static std::expected<LitmusRecords, Diagnostic> load(const std::filesystem::path& file);

    /// How the outcome of the test in `file` differs from its record, a line for each difference, empty: it does not; nothing when
    /// there is no record.
    [[nodiscard]] std::optional<std::string> differences(const std::filesystem::path& file, const LitmusOutcome& outcome) const;

  private:
    struct Record {
        std::string name;
        std::string verdict;
        std::uint64_t positive = 0;
        std::uint64_t negative = 0;
        std::vector<std::string> states; ///< sorted, without the last semicolon
    };
    std::unordered_map<std::string, Record> by_file_; ///< by canonical path
};

} // namespace heddle::cli
