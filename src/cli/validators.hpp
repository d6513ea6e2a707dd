// Checks of option values whose messages say what would have been right.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <utility>
#include <vector>

namespace heddle::cli {

/// One of the words. `noun` is what they are: "model".
inline CLI::Validator one_of(const std::string& noun, std::vector<std::string> words) {
    return {[noun, words = std::move(words)](const std::string& given) {
                return std::ranges::find(words, given) != words.end()
                           ? std::string()
                           : fmt::format("no {} '{}'; there are {}", noun, given, fmt::join(words, ", "));
            },
            ""};
}

/// A number above zero; whether it must be whole is the option's type to say.
inline CLI::Validator positive() {
    return {[](const std::string& given) {
                double number = 0;
                const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
                const bool good = error == std::errc() && end == given.data() + given.size() && number > 0;
                return good ? std::string() : fmt::format("'{}' is no number above 0", given);
            },
            ""};
}

/// How many workers. Each has a thread, a graph and what it remembers of its own: more than this helps on no machine, and systems refuse to start very many.
inline CLI::Validator workers() {
    return {[](const std::string& given) {
                constexpr unsigned kMost = 1024;
                unsigned number = 0;
                const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
                const bool good = error == std::errc() && end == given.data() + given.size() && number > 0 && number <= kMost;
                return good ? std::string() : fmt::format("'{}' is no number from 1 to {}", given, kMost);
            },
            ""};
}

} // namespace heddle::cli
