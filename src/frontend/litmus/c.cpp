// The C dialects: herd's C and the Linux kernel's.
//
// What distinguishes them from assembly, for the frame: the locations of a test are what its threads have as parameters, with the types these have
// there; the initial state need not name them. Registers are local variables, by their names.
#include "frontend/litmus/c_lower.hpp"
#include "frontend/litmus/c_parser.hpp"
#include "frontend/litmus/dialects.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

InitLocation* find_location(Frame& frame, const std::string& name) {
    const auto known = std::ranges::find(frame.locations, name, &InitLocation::name);
    return known == frame.locations.end() ? nullptr : &*known;
}

bool holds_address(const InitLocation& l) {
    return std::ranges::any_of(l.values, [](const InitValue& v) { return !v.location.empty(); });
}

/// Locations have the types of the parameters that name them. One access covers all of a location, so they must agree on its size.
void declare_parameter(Frame& frame, const CParameter& p, const Source& source) {
    const CType type = pointee_of(p.type);
    InitLocation* known = find_location(frame, p.name);
    if (known == nullptr) {
        frame.locations.push_back({.name = p.name, .type = type, .elements = 0, .values = {}, .offset = p.at});
        frame.locations.back().type.given = true;
        return;
    }
    if (!known->type.given) {
        known->type = type;
        known->type.given = true;
    }
    if (bytes_of(known->type) != bytes_of(type)) {
        source.unsupported(
            p.at, fmt::format("`{}` with {} bytes here and {} elsewhere", p.name, bytes_of(type), bytes_of(known->type)));
    }
}

/// Locations that are named only as what others point at ("x=y") have the type that they are then accessed with.
void declare_pointees(Frame& frame) {
    for (std::size_t k = 0; k < frame.locations.size(); ++k) {
        for (std::size_t v = 0; v < frame.locations[k].values.size(); ++v) {
            const InitLocation& from = frame.locations[k];
            const InitValue to = from.values[v];
            const CType type = pointee_of(from.type);
            InitLocation* known = to.location.empty() ? nullptr : find_location(frame, to.location);
            if (known != nullptr && !known->type.given) {
                known->type = type;
                known->type.given = true;
            } else if (known == nullptr && !to.location.empty()) {
                frame.locations.push_back({.name = to.location, .type = type, .elements = 0, .values = {}, .offset = to.offset});
                frame.locations.back().type.given = true;
            }
        }
    }
}

/// The locations and registers as the threads declare them.
Frame with_declarations(Frame frame, const std::vector<CThread>& threads, const Source& source) {
    for (unsigned k = 0; k < threads.size(); ++k) {
        for (const CParameter& p : threads[k].parameters) {
            declare_parameter(frame, p, source);
        }
    }
    declare_pointees(frame);
    for (const InitLocation& l : frame.locations) {
        if (holds_address(l) && bytes_of(l.type) < 8) {
            source.unsupported(l.offset, fmt::format("the address in `{}`, which has only {} bytes,", l.name, bytes_of(l.type)));
        }
    }
    for (const InitRegister& r : frame.registers) {
        if (!r.thread || *r.thread >= threads.size()) {
            source.fail(r.offset, fmt::format("`{}` is no variable of a thread", r.name));
        }
    }
    for (unsigned k = 0; k < threads.size(); ++k) {
        for (const auto& [name, v] : variables_of(threads[k], source)) {
            CType shown = v.type;
            shown.given = true;
            frame.registers.push_back({.thread = k, .name = name, .type = shown, .value = {}, .offset = v.at});
        }
    }
    return frame;
}

} // namespace

LitmusTest read_c(const Source& source, const Frame& frame, const Options& options) {
    Tokens tokens(source, frame.body_begin, frame.body_end, false);
    const std::vector<CThread> threads = parse_c_threads(tokens);
    const CDialect dialect = options.kernel ? CDialect::Kernel : dialect_of(threads);
    const Frame declared = with_declarations(frame, threads, source);
    TestBuilder test(source, declared,
                     {.architecture = dialect == CDialect::Kernel ? Architecture::Lkmm : Architecture::C,
                      .register_named = [](std::string_view name) { return RegisterName{std::string(name), 0}; },
                      .only_declared_registers = true,
                      .cell = [](const CType& type) { return bytes_of(type); }});
    test.set_threads(static_cast<unsigned>(threads.size()));
    test.read_question();
    for (unsigned k = 0; k < threads.size(); ++k) {
        test.add_thread(CLowering(test, k, dialect, options.unroll).run(threads[k]));
    }
    return test.finish();
}

} // namespace heddle::litmus
