// Words written down in as few bytes as is easily done, as they are or by how they differ from other words: parts of states that are kept many times over and looked at seldom (threads,
// tables of objects; image_interner.hpp). Their words are mostly zero, small numbers, or pairs of small numbers; memory that was never written is all ones in its
// undefined bits; and where a thread stands differs in a few words from where it stood before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

/// A number in as many bytes as it needs, seven bits in each.
void squeeze_number(std::uint32_t number, std::vector<std::uint8_t>& into);
[[nodiscard]] std::uint32_t unsqueeze_number(const std::uint8_t*& from);

/// Writes `words` behind what `into` has. `like`: words that they may have in common, position by position; whoever reads must have them again.
void squeeze(std::span<const std::uint64_t> words, std::span<const std::uint64_t> like, std::vector<std::uint8_t>& into);
/// And back: `words` are what they are like, and become what they are. The result: where the written form ends.
const std::uint8_t* unsqueeze(const std::uint8_t* from, std::vector<std::uint64_t>& words);

} // namespace heddle::stateful
