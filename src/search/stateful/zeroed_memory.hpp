// Memory for the large tables of the search: zeros, and on huge pages where there is much of it.
//
// States and parts are looked up all over these tables, so with small pages nearly every lookup also misses in what the processor remembers of the page table, which is dear on a
// virtual machine above all.
#pragma once

#include <cstddef>
#include <utility>

namespace heddle::stateful {

[[nodiscard]] void* zeroed_memory(std::size_t bytes);
/// `memory`: of zeroed_memory(bytes), or null.
void release_zeroed(void* memory, std::size_t bytes);

/// T: its zero bits are a value of it, and nothing has to be done at its end.
template <class T> class ZeroedArray {
  public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size) : size_(size), data_(static_cast<T*>(zeroed_memory(size * sizeof(T)))) {}
    ~ZeroedArray() { release_zeroed(data_, size_ * sizeof(T)); }
    ZeroedArray(ZeroedArray&& other) noexcept
        : size_(std::exchange(other.size_, 0)), data_(std::exchange(other.data_, nullptr)) {}
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        std::swap(size_, other.size_);
        std::swap(data_, other.data_);
        return *this;
    }
    ZeroedArray(const ZeroedArray&) = delete;
    ZeroedArray& operator=(const ZeroedArray&) = delete;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t k) { return data_[k]; }
    [[nodiscard]] const T& operator[](std::size_t k) const { return data_[k]; }

  private:
    std::size_t size_ = 0;
    T* data_ = nullptr;
};

} // namespace heddle::stateful
