// Program: a whole checked program as our own compact, immutable code, with source places. No LLVM here.
//
// A front end builds one, `verify` (verify.hpp) looks it over, and from then on it is shared by everything and changed by nobody.
#pragma once

#include "program/address.hpp"
#include "program/builtin.hpp"
#include "program/instr.hpp"
#include "program/layout.hpp"
#include "program/memory_order.hpp"
#include "program/trap_kind.hpp"
#include "support/ids.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle {

/// Where something stands in the source.
struct Place {
    std::uint32_t file = 0;     ///< into Program::files
    std::uint32_t line = 0;     ///< from 1; 0 when unknown
    std::uint32_t column = 0;   ///< from 1; 0 when unknown
    PlaceId inlined_at{};       ///< the call that was inlined here; PlaceId{0}: none
    std::uint32_t function = 0; ///< into Program::names: the source function this line is of (also when inlined)
    friend auto operator<=>(const Place&, const Place&) = default;
};

/// A local variable that lives in its function's frame: its address provably never reaches another thread, nor outlives the call.
struct Local {
    std::string name; ///< the source variable, or empty
    std::uint32_t size = 0;
    std::uint32_t align = 1;
    std::uint32_t offset = 0; ///< of its bytes in the frame's local area
    std::uint32_t region = 0; ///< first region, counted from the frame's first
};

/// A local variable that is an object of its own.
struct Variable {
    std::string name;
    LayoutId layout{};
};

struct Switch {
    struct Case {
        std::uint64_t value;
        std::uint32_t target;
    };
    std::vector<Case> cases; ///< sorted by value
    std::uint32_t otherwise = 0;
};

/// A loop of the program whose number of iterations is not known beforehand; its head is an Op::Loop.
struct Loop {
    PlaceId place;     ///< the source line of the loop
    bool acts = false; ///< an iteration may do something that others can see. True also when that is not certain
    // What an iteration can still read of what was there before it. Ascending; counters of loops are in neither.
    std::vector<Slot> live;                 ///< registers, constants apart
    std::vector<std::uint32_t> live_locals; ///< into Function::locals
};

struct Function {
    std::string name;
    PlaceId place;
    std::uint16_t params = 0;  ///< slots 0 .. params-1 are the arguments; a variadic function's last one is the address of the
                               ///< unnamed arguments, laid out by the caller as va_arg expects them
    std::uint16_t results = 0; ///< slots returned
    bool variadic = false;
    bool runtime = false;    ///< of the runtime library: reports skip it and name the caller
    std::uint16_t slots = 0; ///< all of them, constants included
    std::uint16_t first_constant = 0;
    std::vector<std::uint64_t> constants; ///< the values of slots first_constant .. at entry, never changed after
    std::vector<Instr> code;              ///< never empty; ends in a terminator
    std::vector<PlaceId> places;          ///< of each instruction; as long as code
    std::vector<Slot> operands;           ///< argument lists
    std::vector<Switch> switches;
    std::vector<Local> locals;
    std::vector<Loop> loops;         ///< each the target of one Op::Loop
    std::vector<Variable> variables; ///< what Op::Alloca makes; [0] is what has no name
    std::uint32_t local_bytes = 0;   ///< of all locals, alignment included
    std::uint32_t local_regions = 0; ///< of all locals
};

/// A global variable. Its address is fixed; its initial bytes hold addresses already resolved.
struct Global {
    std::string name;
    PlaceId place;
    LayoutId layout{};
    Address address = 0;
    std::uint64_t size = 0;
    std::uint32_t align = 1;
    bool constant = false; ///< AddressKind::Constant
    bool runtime = false;
    std::vector<std::uint8_t> init; ///< exactly `size` bytes, or empty: all zero
};

/// A `_Thread_local` variable: each thread has a copy, made at its first use.
struct ThreadLocal {
    std::string name;
    PlaceId place;
    LayoutId layout{};
    std::uint64_t size = 0;
    std::uint32_t align = 1;
    bool escapes = false; ///< its address may reach another thread: the copy is a shared object
    bool runtime = false;
    std::vector<std::uint8_t> init; ///< as in Global
};

/// Something that was assumed while the program was made; verdicts list them.
struct Assumption {
    std::string kind; ///< a word, such as "call-replaced"
    PlaceId place;
    std::string detail;
    bool standing = false; ///< one that Heddle always makes and that cuts nothing off: listed, but Safe stays Safe
};

struct Program {
    std::vector<Function> functions;
    std::vector<Global> globals; ///< mutable ones sorted by address, then constants sorted by address
    std::size_t first_constant_global = 0;
    std::vector<ThreadLocal> thread_locals;
    Layouts layouts; ///< of the user's variables
    std::vector<std::string> files;
    std::vector<std::string> names;
    std::vector<Place> places{Place{}}; ///< [0]: unknown
    std::vector<std::string> messages;  ///< of Op::Unsupported
    std::vector<Assumption> assumptions;
    FunctionId start; ///< what the main thread runs: no arguments, never returns (runtime/start.c)
    /// What a spawned thread runs: (start function, its argument), never returns (runtime/pthread_thread.c). Absent when the program
    /// spawns none.
    std::optional<FunctionId> thread_main;

    [[nodiscard]] const Function& function(FunctionId id) const { return functions[id.index]; }
    /// The global that owns the region of `address` (mutable or constant), or null. The address may be outside its bounds.
    [[nodiscard]] const Global* global_at(Address address) const;
};

/// "file.c:12:5", or "unknown place".
std::string to_string(const Program& program, PlaceId id);
/// "file.c:12": short enough for a column. The folder is shown only when two files have the same name. "" when unknown.
std::string line_text(const Program& program, PlaceId place);

/// The function's code as text, one instruction a line: for tests and `heddle run --dump-program`.
std::string disassemble(const Program& program, FunctionId function);

} // namespace heddle
