#include "search/stateful/local_images.hpp"

#include "search/stateful/squeezed.hpp"

#include <algorithm>
#include <cstring>

namespace heddle::stateful {

LocalImages::Id LocalImages::intern(std::span<const std::uint64_t> words, Id like) {
    bytes_.clear();
    squeeze(words, {}, bytes_);
    squeezed_.assign((bytes_.size() + 3) / 4, 0);
    std::memcpy(squeezed_.data(), bytes_.data(), bytes_.size());
    const Id id = images_->intern(std::span<const std::uint32_t>(squeezed_));
    if (id == known_.size()) {
        known_.push_back({.like = like});
    }
    return id;
}

void LocalImages::take(Id id, std::vector<std::uint64_t>& into) const {
    into.clear();
    unsqueeze(reinterpret_cast<const std::uint8_t*>((*images_)[id].data()), into);
}

ImageInterner::Id LocalImages::share(Id id) {
    // It is kept by the nearest one that it was made from and that is kept too.
    constexpr unsigned kFar = 64;
    Id like = known_[id].like;
    for (unsigned k = 0; k < kFar && like != kNone && known_[like].shared == kNone; ++k) {
        like = known_[like].like;
    }
    take(id, words_);
    const ImageInterner::Id shared = shared_.intern(words_, like != kNone ? known_[like].shared : kNone);
    note(id, shared);
    return shared;
}

LocalImages::Id LocalImages::fetch(ImageInterner::Id shared) {
    shared_.take(shared, words_);
    const Id id = intern(words_);
    note(id, shared);
    return id;
}

void LocalImages::note(Id id, ImageInterner::Id shared) {
    known_[id].shared = shared;
    if (shared >= locals_.size()) {
        locals_.resize(std::max<std::size_t>(std::size_t{shared} + 1, locals_.size() * 2), kNone);
    }
    locals_[shared] = id;
}

void LocalImages::forget() {
    images_ = std::make_unique<Interner>(nullptr);
    known_.clear();
    locals_.clear();
}

} // namespace heddle::stateful
