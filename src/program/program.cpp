#include "program/program.hpp"

#include <algorithm>
#include <filesystem>
#include <span>

namespace heddle {

const Global* Program::global_at(Address address) const {
    const AddressKind kind = kind_of(address);
    if (kind != AddressKind::Global && kind != AddressKind::Constant) {
        return nullptr;
    }
    const std::span<const Global> all(globals);
    const auto range = kind == AddressKind::Global ? all.first(first_constant_global) : all.subspan(first_constant_global);
    // Compared by region, not by address: the guard in front of a global is its own too.
    const std::uint32_t region = static_region_of(address);
    const auto after = std::ranges::upper_bound(range, region, {}, [](const Global& g) {
        // An object whose alignment moved it into its second region still owns the first.
        return static_region_of(g.address - span_of(g.size, g.align).offset);
    });
    if (after == range.begin()) {
        return nullptr;
    }
    const Global& global = *std::prev(after);
    const Span span = span_of(global.size, global.align);
    const std::uint64_t first = static_region_of(global.address - span.offset);
    return region < first + span.regions ? &global : nullptr;
}

std::string to_string(const Program& program, PlaceId id) {
    const Place& place = program.places[id.index];
    if (place.line == 0) {
        return "unknown place";
    }
    std::string text = program.files[place.file] + ":" + std::to_string(place.line);
    if (place.column != 0) {
        text += ":" + std::to_string(place.column);
    }
    return text;
}

std::string line_text(const Program& program, PlaceId place) {
    const Place& p = program.places[place.index];
    if (p.line == 0) {
        return "";
    }
    const auto short_name = [](const std::string& file) { return std::filesystem::path(file).filename().string(); };
    const std::string& file = program.files[p.file];
    const bool ambiguous = std::ranges::any_of(
        program.files, [&](const std::string& other) { return other != file && short_name(other) == short_name(file); });
    return (ambiguous ? file : short_name(file)) + ":" + std::to_string(p.line);
}

} // namespace heddle
