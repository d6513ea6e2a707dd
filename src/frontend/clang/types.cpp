#include "frontend/clang/types.hpp"

#include <llvm/BinaryFormat/Dwarf.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace heddle::clang_frontend {

namespace {

/// What a typedef or a qualified type stands for; null: void, or an atomic type, whose members cannot be accessed.
const llvm::DIType* meant_by(const llvm::DIType* type) {
    while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
        switch (derived->getTag()) {
        case llvm::dwarf::DW_TAG_typedef:
        case llvm::dwarf::DW_TAG_const_type:
        case llvm::dwarf::DW_TAG_volatile_type:
            type = derived->getBaseType();
            break;
        case llvm::dwarf::DW_TAG_atomic_type: {
            // Arrays of atomic elements have the qualifier outside in some versions of clang.
            const auto* inner = llvm::dyn_cast_or_null<llvm::DICompositeType>(meant_by(derived->getBaseType()));
            return inner && inner->getTag() == llvm::dwarf::DW_TAG_array_type ? inner : nullptr;
        }
        default:
            return derived;
        }
    }
    return type;
}

bool is_condition(const llvm::DIType* type) {
    for (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type); derived;
         derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(derived->getBaseType())) {
        if (derived->getTag() == llvm::dwarf::DW_TAG_pointer_type) {
            return false;
        }
        if (derived->getTag() == llvm::dwarf::DW_TAG_typedef &&
            (derived->getName() == "pthread_cond_t" || derived->getName() == "cnd_t")) {
            return true;
        }
    }
    return false;
}

/// The number of bytes, also of a type (a typedef) that does not say its own.
std::uint64_t bytes_of(const llvm::DIType* type) {
    while (type && type->getSizeInBits() == 0) {
        const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(type);
        type = derived ? derived->getBaseType() : nullptr;
    }
    return type ? type->getSizeInBits() / 8 : 0;
}

/// Elements per dimension, from the outside in; 0: not known, as of an array at the end of a struct, or one of variable length.
std::vector<std::uint64_t> dimensions(const llvm::DICompositeType& array) {
    std::vector<std::uint64_t> counts;
    for (const llvm::DINode* node : array.getElements()) {
        const auto* range = llvm::dyn_cast<llvm::DISubrange>(node);
        const auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
        counts.push_back(count && count->getSExtValue() > 0 ? count->getZExtValue() : 0);
    }
    return counts;
}

/// The bytes that accesses to a bit-field have in common: where they start, and how many they are.
std::pair<std::uint64_t, std::uint64_t> storage_of(const llvm::DIDerivedType& field) {
    const auto* start = llvm::dyn_cast_or_null<llvm::ConstantInt>(field.getStorageOffsetInBits());
    const std::uint64_t first = start ? start->getZExtValue() / 8 : field.getOffsetInBits() / 8;
    const std::uint64_t end = (field.getOffsetInBits() + field.getSizeInBits() + 7) / 8;
    return {first, std::bit_ceil(std::max<std::uint64_t>(end - first, 1))};
}

} // namespace

LayoutId Types::layout(const llvm::GlobalVariable& variable) {
    llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
    variable.getDebugInfo(expressions);
    // Of a variable that was split, each fragment has the debug information of the whole.
    if (expressions.empty() || (expressions.front()->getExpression() && expressions.front()->getExpression()->isFragment())) {
        return {};
    }
    return layout(expressions.front()->getVariable()->getType());
}

LayoutId Types::opaque(PartOwner owner) {
    std::optional<LayoutId>& made = opaque_[static_cast<std::size_t>(owner)];
    if (!made) {
        made = layouts_.add_opaque(owner);
    }
    return *made;
}

LayoutId Types::layout(const llvm::DIType* type) {
    if (is_condition(type)) {
        return opaque(PartOwner::Condition);
    }
    const auto* aggregate = llvm::dyn_cast_or_null<llvm::DICompositeType>(meant_by(type));
    if (!aggregate) {
        return {};
    }
    const auto [known, fresh] = known_.try_emplace(aggregate);
    if (!fresh) {
        return known->second;
    }
    const LayoutId made = composite(*aggregate);
    known_[aggregate] = made; // the table may have moved
    return made;
}

LayoutId Types::composite(const llvm::DICompositeType& type) {
    switch (type.getTag()) {
    case llvm::dwarf::DW_TAG_array_type:
        return type.isVector() ? LayoutId{} : array(type);
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_union_type:
        return record(type);
    default:
        return {};
    }
}

LayoutId Types::array(const llvm::DICompositeType& type) {
    const std::vector<std::uint64_t> counts = dimensions(type);
    LayoutId made = layout(type.getBaseType());
    std::uint64_t size = bytes_of(type.getBaseType());
    for (std::size_t k = counts.size(); k-- > 0;) {
        made = layouts_.add_array(size, made);
        size *= counts[k];
    }
    return made;
}

LayoutId Types::record(const llvm::DICompositeType& type) {
    std::vector<Layouts::Member> members;
    bool reserved = true; // names that only the C library may use
    const llvm::DIDerivedType* last_field = nullptr;
    for (const llvm::DINode* node : type.getElements()) {
        const auto* member = llvm::dyn_cast<llvm::DIDerivedType>(node);
        if (!member || member->getTag() != llvm::dwarf::DW_TAG_member) {
            continue;
        }
        const llvm::StringRef name = member->getName();
        reserved = reserved && name.starts_with("__");
        if (!member->isBitField()) {
            last_field = nullptr;
            members.push_back({.name = name.str(),
                               .offset = member->getOffsetInBits() / 8,
                               .size = bytes_of(member),
                               .layout = layout(member->getBaseType())});
            continue;
        }
        const auto [first, size] = storage_of(*member);
        if (last_field && storage_of(*last_field).first == first) {
            // Neighbours that are accessed together: "{a,b}".
            std::string& names = members.back().name;
            names = names.starts_with("{") ? names.substr(0, names.size() - 1) : "{" + names;
            names += "," + name.str() + "}";
            members.back().size = std::max(members.back().size, size);
        } else {
            members.push_back({.name = name.str(), .offset = first, .size = size, .layout = {}});
        }
        last_field = member;
    }
    return members.empty() ? LayoutId{} : reserved ? opaque(PartOwner::Library) : layouts_.add_record(std::move(members));
}

} // namespace heddle::clang_frontend
