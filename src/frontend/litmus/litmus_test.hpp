// LitmusTest: a litmus test as a Program, with the question it asks about its final states.
//
// Each thread Pk is a function of the program, started by `main_of` (see below) or by whoever enumerates executions. Registers are slots. Every
// location is a global variable of its name. What a thread leaves in the registers that the test speaks of, it writes at its end to a global
// variable of its own, named "k:reg", by plain stores: a final state is then memory and nothing else. Those stores come last, nobody reads them
// in the test, and they are therefore in no cycle of any model; whoever enumerates may leave them out of the execution.
#pragma once

#include "program/program.hpp"
#include "support/diagnostic.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::litmus {

/// A part of the final state: a location or a register.
struct Observable {
    std::string name;       ///< as states show it: "0:r1", "[x]", "arr[1]"
    Address address = 0;    ///< of the variable that holds it at the end
    std::uint8_t size = 8;  ///< in bytes
    std::uint8_t bits = 64; ///< a number in it is printed as one of so many bits (at most 8 * size): its declared type, or int
    bool is_signed = true;
    bool is_register = false;
};

/// A number, or the address of a location.
using Constant = std::uint64_t;

/// A proposition on final states: a tree, stored as a vector with the root last; children by their position.
struct Proposition {
    enum class Kind : std::uint8_t { True, False, Equal, NotEqual, EqualObservables, And, Or, Not, Implies };
    struct Node {
        Kind kind = Kind::True;
        std::uint32_t left = 0;  ///< observable (of Equal, NotEqual, EqualObservables) or child
        std::uint32_t right = 0; ///< child, or the second observable
        Constant value = 0;      ///< of Equal, NotEqual
    };
    std::vector<Node> nodes;
};

enum class Quantifier : std::uint8_t { Exists, NotExists, Forall };

struct Thread {
    FunctionId function;
};

struct LitmusTest {
    std::string file;
    std::string name;
    std::string architecture_word; ///< "PPC", "X86_64", ... as the file says
    Architecture architecture = Architecture::C;
    Program program;
    std::vector<Thread> threads;
    Quantifier quantifier = Quantifier::Exists;
    Proposition condition;
    std::optional<Proposition> filter;   ///< executions whose final state does not satisfy it do not count
    std::string condition_text;          ///< as herd prints it: "exists (0:r1=1 /\ [x]=2)"
    std::vector<Observable> observables; ///< all that is named anywhere; propositions index it
    std::vector<std::uint32_t> shown;    ///< what a state shows, in herd's order: `locations` and what the condition speaks of
    Address first_register = 0;          ///< globals from this address on hold final registers
    bool has_loops = false;              ///< some thread has a loop; in tests without, an assumption that fails cuts nothing off
};

struct Options {
    unsigned unroll = 2; ///< how often a backward jump is taken before the execution is cut off, as herd does
    bool kernel =
        false; ///< a C test is of the Linux kernel's dialect even when it calls none of the kernel's functions: the model says so
};

/// Reads a test. A syntax error or something that is not modelled names file, line and column.
std::expected<LitmusTest, Diagnostic> load(const std::string& file, const Options& options);
/// The same from text; `file` is for messages.
std::expected<LitmusTest, Diagnostic> parse(std::string_view text, const std::string& file, const Options& options);

/// "x" for the address of x, else the number.
std::string show_value(const LitmusTest& test, const Observable& observable, std::uint64_t value);

} // namespace heddle::litmus
