#include "frontend/litmus/test_builder.hpp"

#include "frontend/litmus/condition.hpp"
#include "frontend/litmus/main_function.hpp"
#include "program/verify.hpp"
#include "support/check.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace heddle::litmus {

namespace {

constexpr std::uint64_t kCell = 64;             ///< bytes of a location, at least
constexpr std::uint32_t kRegisterRegion = 1024; ///< the first region of final registers: there are never so many locations
constexpr unsigned kRegisterBytes = 8;

bool is_address(std::uint64_t value) { return kind_of(value) == AddressKind::Global; }

std::uint64_t sign_extend(std::uint64_t value, unsigned bits) {
    const unsigned shift = 64 - bits;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value << shift) >> shift);
}

Global global_variable(const std::string& name, Address address, std::uint64_t size, PlaceId place) {
    return {.name = name,
            .place = place,
            .address = address,
            .size = size,
            .align = 8,
            .constant = false,
            .runtime = false,
            .init = {}};
}

} // namespace

TestBuilder::TestBuilder(const Source& source, const Frame& frame, Conventions conventions)
    : source_(&source), frame_(&frame), conventions_(std::move(conventions)) {
    test_.file = source.file();
    test_.name = frame.name;
    test_.architecture_word = frame.architecture;
    test_.architecture = conventions_.architecture;
    test_.program.files.push_back(source.file());
    test_.first_register = make_static_address(AddressKind::Global, kRegisterRegion, 0);
    declare_initial_state();
}

Location& TestBuilder::declare(const std::string& name, const CType& type, std::uint64_t elements) {
    Location l{.name = name, .type = type, .elements = elements, .values = {}};
    l.cell = elements > 0 ? std::max(type.bits() / 8, 1u) : conventions_.cell(type);
    const Span span = span_of(std::max(kCell, elements * l.cell), 8);
    l.address = make_static_address(AddressKind::Global, next_region_, span.offset);
    next_region_ += static_cast<std::uint32_t>(span.regions);
    HEDDLE_CHECK(next_region_ <= kRegisterRegion, "a litmus test has too many locations");
    return locations_.emplace(name, std::move(l)).first->second;
}

void TestBuilder::declare_initial_state() {
    for (const InitLocation& l : frame_->locations) {
        if (locations_.contains(l.name)) {
            if (!l.values.empty()) {
                locations_.at(l.name).values = l.values; // the last one counts
            }
            continue;
        }
        Location& made = declare(l.name, l.type, l.elements);
        made.values = l.values;
        made.offset = l.offset;
    }
    // A name that is only used as an address is a location too.
    const auto name_value = [this](const InitValue& v) {
        if (!v.location.empty()) {
            location(v.location);
        }
    };
    for (const InitLocation& l : frame_->locations) {
        std::ranges::for_each(l.values, name_value);
    }
    for (const InitRegister& r : frame_->registers) {
        if (r.value) {
            name_value(*r.value);
        }
    }
}

const Location& TestBuilder::location(const std::string& name) {
    const auto known = locations_.find(name);
    return known != locations_.end() ? known->second : declare(name, CType{}, 0);
}

const Location* TestBuilder::find_location(const std::string& name) const {
    const auto known = locations_.find(name);
    return known != locations_.end() ? &known->second : nullptr;
}

std::uint64_t TestBuilder::value_of(const InitValue& value) {
    if (value.location.empty()) {
        return value.number;
    }
    const Location& l = location(value.location);
    return l.address + value.number * l.cell;
}

CType TestBuilder::type_of_register(unsigned thread, std::string_view shown) const {
    for (const InitRegister& r : frame_->registers) {
        const auto named = conventions_.register_named(r.name);
        if ((!r.thread || *r.thread == thread) && r.type.given && named && named->shown == shown) {
            return r.type;
        }
    }
    return CType{};
}

std::uint32_t TestBuilder::observe_register(unsigned thread, std::string_view name, std::size_t offset) {
    const auto named = conventions_.register_named(name);
    if (!named) {
        source_->fail(offset, fmt::format("{} has no register `{}`", frame_->architecture, name));
    }
    const std::string shown = fmt::format("{}:{}", thread, named->shown);
    const auto [it, fresh] = observed_.try_emplace(shown, static_cast<std::uint32_t>(test_.observables.size()));
    if (fresh) {
        const CType type = type_of_register(thread, named->shown);
        if (conventions_.only_declared_registers && !type.given) {
            source_->fail(offset, fmt::format("thread {} has no variable `{}`", thread, name));
        }
        const Span span = span_of(kRegisterBytes, 8);
        const auto region = static_cast<std::uint32_t>(kRegisterRegion + registers_++ * span.regions);
        test_.observables.push_back({.name = shown,
                                     .address = make_static_address(AddressKind::Global, region, span.offset),
                                     .size = kRegisterBytes,
                                     .bits = static_cast<std::uint8_t>(std::min(type.bits(), 64u)),
                                     .is_signed = type.is_signed,
                                     .is_register = true});
        watched_.push_back({it->second, true, thread, named->order, named->shown, 0, type});
    }
    return it->second;
}

std::uint32_t TestBuilder::observe_location(const std::string& name, std::optional<std::uint64_t> index, std::size_t offset) {
    const Location& l = location(name);
    if (l.elements == 0 && index.value_or(0) != 0) {
        source_->fail(offset, fmt::format("`{}` is not an array", name));
    }
    if (l.elements > 0 && !index) {
        source_->unsupported(offset, fmt::format("the whole array `{}` as a part of a state", name));
    }
    if (l.elements > 0 && *index >= l.elements) {
        source_->fail(offset, fmt::format("`{}` has only {} elements", name, l.elements));
    }
    const std::string shown = l.elements > 0 ? fmt::format("{}[{}]", name, *index) : fmt::format("[{}]", name);
    const auto [it, fresh] = observed_.try_emplace(shown, static_cast<std::uint32_t>(test_.observables.size()));
    if (fresh) {
        test_.observables.push_back({.name = shown,
                                     .address = l.address + index.value_or(0) * l.cell,
                                     .size = static_cast<std::uint8_t>(std::min(l.cell, 8u)),
                                     .bits = static_cast<std::uint8_t>(std::min({l.type.bits(), l.cell * 8, 64u})),
                                     .is_signed = l.type.is_signed,
                                     .is_register = false});
        watched_.push_back({it->second, false, 0, 0, name, index.value_or(0), l.type});
    }
    return it->second;
}

Constant TestBuilder::canonical(std::uint32_t observable, std::uint64_t number) const {
    const Observable& o = test_.observables[observable];
    if (o.size < 8) {
        return number & ((std::uint64_t{1} << (o.size * 8)) - 1);
    }
    return is_address(number) ? number : sign_extend(number, o.bits);
}

std::vector<FinalRegister> TestBuilder::final_registers(unsigned thread) const {
    std::vector<FinalRegister> found;
    for (const Watched& w : watched_) {
        if (w.is_register && w.thread == thread) {
            found.push_back({w.name, test_.observables[w.observable].address, w.type});
        }
    }
    return found;
}

std::uint32_t TestBuilder::name_index(const std::string& name) {
    auto& names = test_.program.names;
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
        names.push_back(name);
        return static_cast<std::uint32_t>(names.size() - 1);
    }
    return static_cast<std::uint32_t>(known - names.begin());
}

PlaceId TestBuilder::place(std::size_t offset, unsigned thread) {
    const Position at = source_->position(offset);
    const Place place{.file = 0,
                      .line = at.line,
                      .column = at.column,
                      .inlined_at = {},
                      .function = name_index(thread < threads_ ? fmt::format("P{}", thread) : "main")};
    auto& places = test_.program.places;
    places.push_back(place);
    return PlaceId(static_cast<std::uint32_t>(places.size() - 1));
}

void TestBuilder::add_thread(Function function) {
    // The last instruction is the builder's own jump from where variables are set.
    for (std::size_t k = 0; k + 1 < function.code.size(); ++k) {
        test_.has_loops = test_.has_loops || (function.code[k].op == Op::Jump && function.code[k].x() <= k);
    }
    test_.threads.push_back({FunctionId(static_cast<std::uint32_t>(test_.program.functions.size()))});
    test_.program.functions.push_back(std::move(function));
}

void TestBuilder::order_shown(const std::vector<std::uint32_t>& shown) {
    const auto key = [this](std::uint32_t k) {
        const Watched& w = watched_[k];
        return std::tuple(!w.is_register, w.thread, w.is_register ? w.order : 0u, w.name, w.index);
    };
    test_.shown = shown;
    std::ranges::sort(test_.shown, {}, key);
    const auto rest = std::ranges::unique(test_.shown);
    test_.shown.erase(rest.begin(), rest.end());
}

void TestBuilder::read_question() {
    Tokens tokens(*source_, frame_->body_end, source_->text().size());
    Question question = parse_question(tokens, *this);
    std::vector<std::uint32_t> shown = question.listed;
    const auto asked = observables_of(question.condition);
    shown.insert(shown.end(), asked.begin(), asked.end());
    order_shown(shown);
    test_.quantifier = question.quantifier;
    test_.condition = std::move(question.condition);
    test_.filter = std::move(question.filter);
}

void TestBuilder::place_globals() {
    std::vector<Global>& globals = test_.program.globals;
    for (const auto& [name, l] : locations_) {
        const PlaceId declared = l.offset != 0 ? place(l.offset, threads_) : PlaceId{};
        Global g = global_variable(name, l.address, std::max(kCell, l.elements * l.cell), declared);
        g.init.assign(g.size, 0);
        for (std::size_t k = 0; k < l.values.size(); ++k) {
            std::uint64_t v = value_of(l.values[k]);
            v = l.cell == 8 && !is_address(v) && l.type.bits() < 64 ? sign_extend(v, l.type.bits()) : v;
            for (unsigned byte = 0; byte < l.cell; ++byte) {
                g.init[k * l.cell + byte] = byte < 8 ? static_cast<std::uint8_t>(v >> (8 * byte)) : 0;
            }
        }
        globals.push_back(std::move(g));
    }
    for (const Observable& o : test_.observables) {
        if (o.is_register) {
            globals.push_back(global_variable(o.name, o.address, kRegisterBytes, {}));
        }
    }
    std::ranges::sort(globals, {}, &Global::address);
    test_.program.first_constant_global = globals.size();
}

LitmusTest TestBuilder::finish() {
    place_globals();
    test_.condition_text = text_of(test_.quantifier, test_.condition, test_);
    add_main(test_, place(std::min(frame_->body_end, source_->text().size()), threads_));
    const auto wrong = verify(test_.program);
    HEDDLE_CHECK(wrong.empty(), wrong.front());
    return std::move(test_);
}

std::string show_value(const LitmusTest& test, const Observable& observable, std::uint64_t value) {
    if (is_address(value)) {
        if (const Global* g = test.program.global_at(value); g && value == g->address) {
            return g->name;
        }
    }
    const unsigned bits = std::min<unsigned>(observable.bits, observable.size * 8u);
    if (observable.is_signed) {
        return fmt::format("{}", static_cast<std::int64_t>(sign_extend(value, bits)));
    }
    return fmt::format("{}", bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value);
}

} // namespace heddle::litmus
