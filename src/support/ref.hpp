// Ref<T>: an intrusive reference-counted pointer, the carrier of copy-on-write in thread states and memory.
#pragma once

#include <cstdint>
#include <utility>

namespace heddle {

/// Base of what Ref points to. The count is a plain number: what is shared by reference belongs to one worker. (Workers that take over
/// a part of a search are given the choices that lead there, not states.)
class RefCounted {
  public:
    RefCounted() = default;
    RefCounted(const RefCounted&) noexcept {}
    RefCounted& operator=(const RefCounted&) = delete;
    void retain() const noexcept { ++count_; }
    /// True when the last reference is gone and the caller must destroy the object.
    [[nodiscard]] bool release() const noexcept { return --count_ == 0; }
    [[nodiscard]] bool shared() const noexcept { return count_ != 1; }

  private:
    mutable std::uint32_t count_ = 1;
};

/// T derives from RefCounted and has `static void destroy(T*)`.
template <class T> class Ref {
  public:
    Ref() = default;
    /// Takes over the reference that a new object starts with.
    static Ref adopt(T* fresh) {
        Ref r;
        r.p_ = fresh;
        return r;
    }
    Ref(const Ref& o) : p_(o.p_) {
        if (p_) {
            p_->retain();
        }
    }
    Ref(Ref&& o) noexcept : p_(std::exchange(o.p_, nullptr)) {}
    Ref& operator=(const Ref& o) {
        Ref copy(o);
        std::swap(p_, copy.p_);
        return *this;
    }
    Ref& operator=(Ref&& o) noexcept {
        if (this != &o) {
            drop();
            p_ = std::exchange(o.p_, nullptr);
        }
        return *this;
    }
    ~Ref() { drop(); }

    [[nodiscard]] T* raw() const { return p_; }
    /// Gives the reference up to the caller, who must release it.
    [[nodiscard]] T* detach() { return std::exchange(p_, nullptr); }
    T* operator->() const { return p_; }
    T& operator*() const { return *p_; }
    explicit operator bool() const { return p_ != nullptr; }

  private:
    void drop() {
        if (p_ && p_->release()) {
            T::destroy(p_);
        }
        p_ = nullptr;
    }
    T* p_ = nullptr;
};

} // namespace heddle
