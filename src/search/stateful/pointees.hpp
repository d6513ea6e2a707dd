// What a word of a thread may point to, as far as it is shared memory; and which global variables' addresses get where they are not followed.
//
// A word is known exactly, or as the union of everything that it may have been computed from. What is read from memory is *unknown*: it may be the
// address of any made object, and of any global variable whose address is ever put into memory, or is returned, or is handed to a function
// that is called by address, or is computed with as a number (`escaping_globals`). That an address is not made out of nothing is what every such analysis takes for granted; the machine
// sees to it that arithmetic does not lead from one object into another (program/address.hpp).
#pragma once

#include "program/program.hpp"
#include "search/stateful/cells.hpp"

namespace heddle::stateful {

struct Word {
    bool some = false;  ///< false: no value gets here
    bool exact = false; ///< it is `value`; nothing else is said then
    std::uint64_t value = 0;
    bool made = false;    ///< it may point to a made object
    bool unknown = false; ///< it may have come from memory
    NumberSet globals{};  ///< it may point to these

    static Word known(std::uint64_t v) { return {.some = true, .exact = true, .value = v}; }
    static Word number() { return {.some = true}; } ///< no address of shared memory
    static Word from_memory() { return {.some = true, .unknown = true}; }
    static Word to_made() { return {.some = true, .made = true}; }
};

/// The word, known no longer exactly.
Word blurred(const Cells& cells, const Word& word);
/// `into` may also be `from`. True: that was news.
bool join(const Cells& cells, Word& into, const Word& from);

struct Escaping {
    NumberSet globals{};
    bool hidden =
        false; ///< some code computes with an address what need not look like one (multiplied, shifted, the distance to another object): a register may hold such a word
};
Escaping escaping_globals(const Program& program, const Cells& cells);

} // namespace heddle::stateful
