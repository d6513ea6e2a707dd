// Words written down in as few bytes as is easily done: parts of states that are kept many times over and looked at seldom (threads, tables of
// objects). Their words are mostly zero, small numbers, or pairs of small numbers; memory that was never written is all ones in its
// undefined bits. Equal words give equal bytes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace heddle::stateful {

/// `into` becomes the written form of `words`.
void squeeze(std::span<const std::uint64_t> words, std::vector<std::uint32_t>& into);
/// And back.
void unsqueeze(std::span<const std::uint32_t> squeezed, std::vector<std::uint64_t>& into);

} // namespace heddle::stateful
