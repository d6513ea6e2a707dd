#include "report/paint.hpp"

#include <cstdlib>
#include <unistd.h>

namespace heddle {

bool use_color(ColorChoice choice, int fd) {
    if (choice != ColorChoice::Auto) {
        return choice == ColorChoice::Always;
    }
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(fd) == 1 && (no_color == nullptr || *no_color == '\0');
}

} // namespace heddle
