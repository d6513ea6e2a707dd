// Relations: the steps of which a cycle is made, and which of them an architecture has.
//
// A cycle in the sense of Shasha and Snir goes round the accesses of a litmus test: along program order inside a thread, along a communication
// (reads-from, from-reads, coherence) from one thread to another. A relation is one such step, with everything that matters for the two
// accesses it joins: whether they read or write, whether they are to one location, what stands between them in the program, and how they are
// marked (acquire, release). The names are those of diy (Alglave and Maranget, "Fences in Weak Memory Models", and its manual), so that
// people who know it can read them: Rfe, PodWR, DpAddrdR, LwSyncdWW, PodRRAP, ...
#pragma once

#include "support/diagnostic.hpp"

#include <compare>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::generate {

enum class Dialect : std::uint8_t { Ppc, X86, X86_64, Arm, AArch64, RiscV, C };

enum class Direction : std::uint8_t { Read, Write };

/// How an access is marked: an index into Vocabulary::marks. 0 is the unmarked access.
using Mark = std::uint8_t;
inline constexpr Mark kUnmarked = 0;

struct Relation {
    enum class Kind : std::uint8_t { Rf, Fr, Co, Po, Fence, Addr, Data, Ctrl, CtrlFence };
    Kind kind = Kind::Po;
    bool external = false;      ///< a communication to another thread
    bool same_location = false; ///< of both accesses; communications always are
    Direction source = Direction::Read;
    Direction target = Direction::Read;
    std::uint8_t fence = 0; ///< of Fence: an index into Vocabulary::fences
    /// How the two accesses are marked. A relation that says nothing of an access takes what its neighbour in the cycle says.
    std::optional<Mark> source_mark;
    std::optional<Mark> target_mark;

    [[nodiscard]] bool is_communication() const { return kind <= Kind::Co; }
    friend auto operator<=>(const Relation&, const Relation&) = default;
};

struct FenceWord {
    std::string_view name;        ///< in relations: "LwSync"
    std::string_view suffix;      ///< in names of tests: "lwsync"
    std::string_view instruction; ///< in programs
};

struct MarkWord {
    std::string_view name; ///< in relations: "A"; in names of tests in small letters
    bool on_reads = true;
    bool on_writes = true;
};

/// What an architecture has.
struct Vocabulary {
    Dialect dialect;
    std::string_view word; ///< as a litmus file starts: "PPC"
    std::span<const FenceWord> fences;
    std::span<const MarkWord> marks; ///< the first is that of unmarked accesses
    bool has_data_and_ctrl = false;
    bool has_addr = false;
    std::string_view control_fence = {}; ///< behind DpCtrl when a fence stands behind the branch: "Isync"; empty: there is none
    std::string_view control_fence_instruction = {};
};

std::span<const Vocabulary> vocabularies();
/// Finds by `word`; nothing when there is no such architecture.
const Vocabulary* find_vocabulary(std::string_view word);

/// The relation called `name`.
std::expected<Relation, Diagnostic> parse_relation(const Vocabulary& vocabulary, std::string_view name);
/// All that `pattern` stands for: a name in which `*` may stand for R and W in turn, as in Pod** or DMBdR*.
std::expected<std::vector<Relation>, Diagnostic> parse_relations(const Vocabulary& vocabulary, std::string_view pattern);
/// The inverse of parse_relation.
std::string to_string(const Vocabulary& vocabulary, const Relation& relation);
/// What tests are made of unless something else is asked for: external communications, and everything that leads to another location; no marks.
std::vector<Relation> usual_relations(const Vocabulary& vocabulary);
/// One line a family: what names the architecture has.
std::string describe_relations(const Vocabulary& vocabulary);

char letter(Direction direction);

} // namespace heddle::generate
