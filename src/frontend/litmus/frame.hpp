// Frame: what all dialects of litmus tests share around their programs.
//
//     ARCH NAME                       the header; the rest of its line, a doc string and key=value lines say nothing about the meaning
//     { int x=0; 0:r1=x; ... }        the initial state
//     ... the program ...             of the dialect: columns of assembly, or C functions
//     locations [ ... ]  filter ...   optional
//     exists (...)                    the question
#pragma once

#include "frontend/litmus/tokens.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::litmus {

/// A type of the initial state, as far as a test cares: how large a cell is and how a number in it is printed.
struct CType {
    std::string name = "int"; ///< its words, without the stars
    std::uint8_t size = 4;
    bool is_signed = true;
    unsigned pointers = 0; ///< number of stars
    bool given = false;    ///< the test says it

    [[nodiscard]] unsigned bits() const { return pointers > 0 ? 64 : size * 8u; }
};

/// Of the words of a type; a name that is not known has the size of an int (c_types.cpp).
CType type_named(const std::string& words, unsigned pointers);

/// A number, or the address of a location.
struct InitValue {
    std::uint64_t number = 0; ///< of an address: the index of an element
    std::string location;     ///< empty: a number
    std::size_t offset = 0;   ///< in the source
};

struct InitLocation {
    std::string name;
    CType type;
    std::uint64_t elements = 0;    ///< of an array; 0: not one
    std::vector<InitValue> values; ///< one of a scalar, up to `elements` of an array; empty: zero
    std::size_t offset = 0;
};

struct InitRegister {
    std::optional<unsigned> thread; ///< nothing: a symbolic register (%x0), which has this value in every thread
    std::string name;
    CType type;
    std::optional<InitValue> value;
    std::size_t offset = 0;
};

struct Frame {
    std::string architecture; ///< the first word
    std::string name;
    std::vector<InitLocation> locations;
    std::vector<InitRegister> registers;
    std::size_t body_begin = 0; ///< the program, in the source
    std::size_t body_end = 0;   ///< there the locations, filter and question begin
};

Frame parse_frame(const Source& source);

/// "P3" or "3": the number of a thread, when the token is one.
std::optional<unsigned> thread_number(const Token& token);

} // namespace heddle::litmus
