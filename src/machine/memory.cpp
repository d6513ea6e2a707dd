#include "machine/memory.hpp"

#include "support/check.hpp"

#include <algorithm>
#include <unordered_set>

namespace heddle {

Memory::Memory(const Program& program) : objects_(program) {
    for (std::size_t i = 0; i < program.first_constant_global; ++i) {
        contents_.push_back(Block::make(program.globals[i].size, program.globals[i].init));
    }
}

Value Memory::load(Address address, unsigned size) const {
    const Object* o = objects_.accessible(address, size, false);
    HEDDLE_CHECK(o, "load of an unchecked address");
    return load(*o, address, size);
}

void Memory::store(Address address, unsigned size, const Value& v) {
    const Object* o = objects_.accessible(address, size, false);
    HEDDLE_CHECK(o, "store to an unchecked address");
    store(*o, address, size, v);
}

std::optional<Value> Memory::perform(const Action& action) {
    switch (action.kind) {
    case ActionKind::Load:
    case ActionKind::Rmw:
    case ActionKind::Lock: {
        const ReadEffect effect = effect_of_read(action, load(action.address, action.size));
        if (effect.waits) {
            return std::nullopt;
        }
        if (effect.written) {
            store(action.address, action.size, *effect.written);
        }
        return effect.outcome;
    }
    case ActionKind::Store:
        store(action.address, action.size, action.value);
        return Value{};
    case ActionKind::Unlock:
        store(action.address, action.size, Value{});
        return Value{};
    case ActionKind::Fence:
        return Value{};
    case ActionKind::Alloc: {
        const Object& o = objects_.add(action);
        contents_.resize(objects_.handles());
        contents_[o.handle] = action.image
                                  ? Block::make(o.size, *action.image)
                                  : Block::make(o.size, action.zeroed ? Block::Content::Zero : Block::Content::Undefined);
        return Value{};
    }
    case ActionKind::Free:
        contents_[objects_.find(action.address)->handle] = {};
        objects_.end(action.address, action.place);
        return Value{};
    default:
        HEDDLE_CHECK(false, "an action that is not memory's");
    }
}

void Memory::forget(Address address) {
    contents_[objects_.find(address)->handle] = {};
    objects_.forget(address);
}

namespace {

/// Every aligned word of `block` that might be a pointer. Conservative, as leak checkers are: a number that looks like one counts.
template <class F> void each_word(const Block& block, F&& visit) {
    for (std::uint64_t at = 0; at + 8 <= block.size(); at += 8) {
        if (const std::uint64_t word = block.load(at, 8).lo; word != 0) {
            visit(word);
        }
    }
}

} // namespace

std::vector<Object> Memory::leaks(const std::vector<const Block*>& roots) const {
    std::unordered_set<std::uint32_t> reached;
    std::vector<const Block*> pending(roots);
    objects_.for_each([&](const Object& o) {
        if (o.alive && o.kind != ObjectKind::Heap) {
            pending.push_back(contents_[o.handle].raw());
        }
    });
    while (!pending.empty()) {
        const Block* block = pending.back();
        pending.pop_back();
        each_word(*block, [&](std::uint64_t word) {
            const Object* o = objects_.find(without_tag(word));
            if (o && o->alive && o->kind == ObjectKind::Heap && reached.insert(o->handle).second) {
                pending.push_back(contents_[o->handle].raw());
            }
        });
    }
    std::vector<Object> lost;
    objects_.for_each([&](const Object& o) {
        if (o.alive && o.kind == ObjectKind::Heap && !reached.contains(o.handle)) {
            lost.push_back(o);
        }
    });
    std::ranges::sort(lost, {}, &Object::base);
    return lost;
}

} // namespace heddle
