#include "search/stateful/zeroed_memory.hpp"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace heddle::stateful {
namespace {

constexpr std::size_t kMuch = 4u << 20; ///< two huge pages

} // namespace

void* zeroed_memory(std::size_t bytes) {
    if (bytes < kMuch) {
        void* const memory = std::calloc(bytes, 1);
        return memory ? memory : throw std::bad_alloc();
    }
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        throw std::bad_alloc();
    }
    madvise(memory, bytes, MADV_HUGEPAGE); // a wish: without it everything is as right, and slower
    return memory;
}

void release_zeroed(void* memory, std::size_t bytes) {
    if (bytes < kMuch) {
        std::free(memory);
    } else if (memory) {
        munmap(memory, bytes);
    }
}

} // namespace heddle::stateful
