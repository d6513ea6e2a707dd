// The names that a cat model finds defined: sets of events by what their architecture calls them, and basic relations.
//
// A model is read without knowing for which architecture. A name that some architecture has is the empty set on the others; a name that none has
// is a mistake. The shareability domain of ARM's barriers is not distinguished, so DMB.ISH and DMB.SY name one set.
#pragma once

#include "graph/execution.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace heddle::cat {

/// An index into the table of sets.
using SetName = std::uint32_t;

std::optional<SetName> find_set(std::string_view name);
std::string_view text_of_set(SetName name);
using Membership = bool (*)(const Event&);
/// What the name means on this architecture.
Membership membership(SetName name, Architecture architecture);

/// Does the architecture know the name, and no other?
bool is_of_only(SetName name, Architecture architecture);

enum class BaseRelation : std::uint8_t {
    Po,
    Addr,
    AddrPo, ///< Execution::addr_po
    Data,
    Ctrl,
    Rmw,
    Lxsx,
    Amo,
    Loc,
    Int,
    Ext,
    Id,
    Init,   ///< from an initial write to every event of a thread
    Create, ///< Spawn to Begin
    Join,   ///< End to Join
    Rf,
    Co,
    Fr,
};

std::optional<BaseRelation> find_relation(std::string_view name);
std::string_view text_of_relation(BaseRelation relation);
/// Sets and relations of herd that are known and not supported, such as FW.
bool is_known_unsupported(std::string_view name);

} // namespace heddle::cat
