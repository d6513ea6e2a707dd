#include "frontend/generate/column.hpp"

#include <fmt/format.h>

namespace heddle::generate {
namespace {

class PpcColumn final : public Column {
  public:
    Register load(std::uint32_t location, Mark /*mark*/, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register value = fresh();
        const Register address = address_of(location);
        line(index ? fmt::format("lwzx {},{},{}", r(value), r(*index), r(address))
                   : fmt::format("lwz {},0({})", r(value), r(address)));
        return value;
    }

    void store(std::uint32_t location, std::uint32_t value, Mark /*mark*/, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register source = leaning.data ? zero(*leaning.data) : fresh();
        line(leaning.data ? fmt::format("addi {},{},{}", r(source), r(source), value)
                          : fmt::format("li {},{}", r(source), value));
        const Register address = address_of(location);
        line(index ? fmt::format("stwx {},{},{}", r(source), r(*index), r(address))
                   : fmt::format("stw {},0({})", r(source), r(address)));
    }

    void branch(Register condition, std::uint32_t /*expected*/, std::string_view label) override {
        line(fmt::format("cmpw {},{}", r(condition), r(condition)));
        line(fmt::format("beq {}", label));
        line(fmt::format("{}:", label));
    }

    [[nodiscard]] std::string name(Register reg) const override { return r(reg); }
    [[nodiscard]] unsigned capacity() const override { return 31; }

  private:
    Register zero(Register of) {
        const Register result = fresh();
        line(fmt::format("xor {},{},{}", r(result), r(of), r(of)));
        return result;
    }

    /// r0 stands for the number 0 in an address, so it is left out.
    static std::string r(Register reg) { return fmt::format("r{}", reg + 1); }
};

} // namespace

std::unique_ptr<Column> make_ppc_column() { return std::make_unique<PpcColumn>(); }

} // namespace heddle::generate
