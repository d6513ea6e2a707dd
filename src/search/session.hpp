// Session: what the parts of one check share. There is no other shared state in Heddle: several sessions can live in one process.
#pragma once

#include "machine/thread_names.hpp"
#include "program/program.hpp"

#include <utility>

namespace heddle {

struct Session {
    explicit Session(Program p) : program(std::move(p)) {}
    Session(const Session&) = delete; ///< machines refer to it
    Session& operator=(const Session&) = delete;

    const Program program;
    ThreadNames names;
};

} // namespace heddle
