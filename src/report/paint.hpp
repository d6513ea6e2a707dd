// Paint: colour for a terminal, or nothing at all. The only place that knows escape sequences.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

class Paint {
  public:
    explicit Paint(bool on = false) : on_(on) {}
    [[nodiscard]] std::string bad(std::string_view text) const { return with("1;31", text); }
    [[nodiscard]] std::string good(std::string_view text) const { return with("1;32", text); }
    [[nodiscard]] std::string doubtful(std::string_view text) const { return with("1;33", text); }
    [[nodiscard]] std::string strong(std::string_view text) const { return with("1", text); }
    [[nodiscard]] std::string faint(std::string_view text) const { return with("2", text); }

  private:
    [[nodiscard]] std::string with(std::string_view code, std::string_view text) const {
        return on_ && !text.empty() ? "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m" : std::string(text);
    }
    bool on_;
};

enum class ColorChoice { Auto, Always, Never };
/// Auto: only when `fd` is a terminal and the environment has no NO_COLOR (https://no-color.org).
bool use_color(ColorChoice choice, int fd);

} // namespace heddle
