// Layouts: what the types of variables are made of, as far as reports need it to name a part: "table[3].next" and not "table+56".
//
// Each type is written down once, and names are all that is kept of scalars: that they are nothing else.
#pragma once

#include "support/ids.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

using LayoutId = Id<struct LayoutTag>; ///< into Layouts; 0: nothing is known of the parts

/// Whose business the bytes of a part are.
enum class PartOwner : std::uint8_t {
    User,
    Library,   ///< the inside of a type of the C library, such as pthread_mutex_t
    Condition, ///< that of a condition variable
    Runtime,   ///< a variable of the runtime library
};

class Layouts {
  public:
    struct Member {
        std::string name; ///< empty: an anonymous struct or union, whose members are named as if they were its owner's
        std::uint64_t offset = 0;
        std::uint64_t size = 0; ///< of a member that is an array without a length: 0, and it goes on for ever
        LayoutId layout{};
    };

    /// Elements one behind the other. Bounds are not kept: a part outside the object is never named.
    LayoutId add_array(std::uint64_t element_size, LayoutId element);
    /// A struct or union; a member that comes first is preferred.
    LayoutId add_record(std::vector<Member> members);
    /// What has parts that are not the user's business: all of it has one name.
    LayoutId add_opaque(PartOwner owner);

    /// How the source calls the `size` bytes at `offset` in something of this layout: "[3].next", "" for all of it, and with "+2" at the end
    /// when no part starts there.
    [[nodiscard]] std::string part(LayoutId layout, std::uint64_t offset, std::uint64_t size) const;
    [[nodiscard]] PartOwner owner(LayoutId layout, std::uint64_t offset, std::uint64_t size) const;
    /// How the source calls what starts at `offset`, the largest such part: what a pointer there points to.
    [[nodiscard]] std::string start(LayoutId layout, std::uint64_t offset) const;

  private:
    enum class Kind : std::uint8_t { Plain, Opaque, Array, Record };
    struct Layout {
        Kind kind = Kind::Plain;
        PartOwner owner = PartOwner::User;
        std::uint64_t element_size = 0; ///< of an array
        LayoutId element{};
        std::vector<Member> members{}; ///< of a record
    };
    /// A part and how far the bytes sought are behind its start.
    struct Found {
        std::string path;
        std::uint64_t rest;
        PartOwner owner = PartOwner::User;
    };
    [[nodiscard]] Found find(LayoutId layout, std::uint64_t offset, std::uint64_t size, bool largest) const;
    [[nodiscard]] Found find_inside(const Layout& layout, std::uint64_t offset, std::uint64_t size, bool largest) const;
    [[nodiscard]] Found find_member(const Layout& record, std::uint64_t offset, std::uint64_t size, bool largest) const;
    LayoutId add(Layout layout);

    std::vector<Layout> all_{Layout{}};
};

} // namespace heddle
