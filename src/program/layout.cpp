#include "program/layout.hpp"

#include <optional>
#include <utility>

namespace heddle {

LayoutId Layouts::add_array(std::uint64_t element_size, LayoutId element) {
    Layout made{.kind = Kind::Array};
    made.element_size = element_size;
    made.element = element;
    return add(std::move(made));
}

LayoutId Layouts::add_record(std::vector<Member> members) {
    Layout made{.kind = Kind::Record};
    made.members = std::move(members);
    return add(std::move(made));
}

LayoutId Layouts::add_opaque(PartOwner owner) { return add({.kind = Kind::Opaque, .owner = owner}); }

LayoutId Layouts::add(Layout layout) {
    all_.push_back(std::move(layout));
    return LayoutId(static_cast<std::uint32_t>(all_.size() - 1));
}

std::string Layouts::part(LayoutId layout, std::uint64_t offset, std::uint64_t size) const {
    Found found = find(layout, offset, size, false);
    return found.rest == 0 ? std::move(found.path) : found.path + "+" + std::to_string(found.rest);
}

PartOwner Layouts::owner(LayoutId layout, std::uint64_t offset, std::uint64_t size) const {
    return find(layout, offset, size, false).owner;
}

std::string Layouts::start(LayoutId layout, std::uint64_t offset) const {
    Found found = find(layout, offset, 0, true);
    return found.rest == 0 ? std::move(found.path) : found.path + "+" + std::to_string(found.rest);
}

Layouts::Found Layouts::find(LayoutId layout, std::uint64_t offset, std::uint64_t size, bool largest) const {
    const Layout& l = all_[layout.index];
    if (largest && offset == 0) {
        return {"", 0, l.owner};
    }
    return find_inside(l, offset, size, largest);
}

Layouts::Found Layouts::find_inside(const Layout& l, std::uint64_t offset, std::uint64_t size, bool largest) const {
    if (l.kind == Kind::Opaque) {
        return {"", 0, l.owner};
    }
    if (l.kind == Kind::Array && l.element_size != 0 && offset % l.element_size + size <= l.element_size) {
        Found inner = find(l.element, offset % l.element_size, size, largest);
        return {"[" + std::to_string(offset / l.element_size) + "]" + inner.path, inner.rest, inner.owner};
    }
    return l.kind == Kind::Record ? find_member(l, offset, size, largest) : Found{"", offset};
}

Layouts::Found Layouts::find_member(const Layout& record, std::uint64_t offset, std::uint64_t size, bool largest) const {
    std::optional<Found> best;
    for (const Member& m : record.members) {
        const bool endless = m.size == 0 && all_[m.layout.index].kind == Kind::Array;
        if (offset < m.offset || (!endless && (offset + size > m.offset + m.size || offset >= m.offset + m.size))) {
            continue;
        }
        // What has no name is no part that could be named.
        Found inner = m.name.empty() ? find_inside(all_[m.layout.index], offset - m.offset, size, largest)
                                     : find(m.layout, offset - m.offset, size, largest);
        // Of a union, the first that says exactly which bytes they are.
        const bool exact =
            inner.rest == 0 && (largest || inner.owner != PartOwner::User || !inner.path.empty() || size == m.size);
        if (exact || !best) {
            best = Found{(m.name.empty() ? "" : "." + m.name) + inner.path, inner.rest, inner.owner};
        }
        if (exact) {
            break;
        }
    }
    return best ? std::move(*best) : Found{"", offset};
}

} // namespace heddle
