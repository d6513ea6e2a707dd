// RISC-V. The base instruction set has no acquire loads and release stores; lw.aq and sw.rl are herd's and diy's way to write them.
#include "frontend/generate/column.hpp"

#include <fmt/format.h>

namespace heddle::generate {
namespace {

class RiscVColumn final : public Column {
  public:
    Register load(std::uint32_t location, Mark mark, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register value = fresh();
        const Register address = indexed(location, index);
        line(fmt::format("{} {},0({})", mark == kUnmarked ? "lw" : "lw.aq", x(value), x(address)));
        return value;
    }

    void store(std::uint32_t location, std::uint32_t value, Mark mark, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register source = leaning.data ? zero(*leaning.data) : fresh();
        line(fmt::format("ori {},{},{}", x(source), leaning.data ? x(source) : "x0", value));
        const Register address = indexed(location, index);
        line(fmt::format("{} {},0({})", mark == kUnmarked ? "sw" : "sw.rl", x(source), x(address)));
    }

    void branch(Register condition, std::uint32_t /*expected*/, std::string_view label) override {
        line(fmt::format("bne {},x0,{}", x(condition), label));
        line(fmt::format("{}:", label));
    }

    [[nodiscard]] std::string name(Register reg) const override { return x(reg); }
    [[nodiscard]] unsigned capacity() const override { return 27; }

  private:
    Register zero(Register of) {
        const Register result = fresh();
        line(fmt::format("xor {},{},{}", x(result), x(of), x(of)));
        return result;
    }

    Register indexed(std::uint32_t location, std::optional<Register> index) {
        const Register address = address_of(location);
        if (!index) {
            return address;
        }
        const Register sum = fresh();
        line(fmt::format("add {},{},{}", x(sum), x(address), x(*index)));
        return sum;
    }

    /// x0 is zero; x1 to x4 have their uses in the calling convention.
    static std::string x(Register reg) { return fmt::format("x{}", reg + 5); }
};

} // namespace

std::unique_ptr<Column> make_riscv_column() { return std::make_unique<RiscVColumn>(); }

} // namespace heddle::generate
