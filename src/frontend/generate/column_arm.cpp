// ARM (version 7) and AArch64.
#include "frontend/generate/column.hpp"

#include <array>
#include <fmt/format.h>

namespace heddle::generate {
namespace {

class ArmColumn final : public Column {
  public:
    Register load(std::uint32_t location, Mark /*mark*/, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register value = fresh();
        const Register address = address_of(location);
        line(index ? fmt::format("LDR R{},[R{},R{}]", value, *index, address) : fmt::format("LDR R{},[R{}]", value, address));
        return value;
    }

    void store(std::uint32_t location, std::uint32_t value, Mark /*mark*/, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register source = leaning.data ? zero(*leaning.data) : fresh();
        line(leaning.data ? fmt::format("ADD R{},R{},#{}", source, source, value) : fmt::format("MOV R{},#{}", source, value));
        const Register address = address_of(location);
        line(index ? fmt::format("STR R{},[R{},R{}]", source, *index, address) : fmt::format("STR R{},[R{}]", source, address));
    }

    void branch(Register condition, std::uint32_t /*expected*/, std::string_view label) override {
        line(fmt::format("CMP R{},R{}", condition, condition));
        line(fmt::format("BNE {}", label));
        line(fmt::format("{}:", label));
    }

    [[nodiscard]] std::string name(Register reg) const override { return fmt::format("R{}", reg); }
    [[nodiscard]] unsigned capacity() const override {
        return 13;
    } // the others are stack pointer, link register and program counter

  private:
    Register zero(Register of) {
        const Register result = fresh();
        line(fmt::format("EOR R{},R{},R{}", result, of, of));
        return result;
    }
};

class AArch64Column final : public Column {
  public:
    Register load(std::uint32_t location, Mark mark, const Leaning& leaning) override {
        constexpr std::array<std::string_view, 4> kLoads = {"LDR", "LDAR", "LDAPR", "LDR"}; // by mark: none, A, Q; L is no load's
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register value = fresh();
        line(fmt::format("{} W{},{}", kLoads[mark], value, operand(location, index, mark != kUnmarked)));
        return value;
    }

    void store(std::uint32_t location, std::uint32_t value, Mark mark, const Leaning& leaning) override {
        const auto index = leaning.address ? std::optional(zero(*leaning.address)) : std::nullopt;
        const Register source = leaning.data ? zero(*leaning.data) : fresh();
        line(leaning.data ? fmt::format("ADD W{},W{},#{}", source, source, value) : fmt::format("MOV W{},#{}", source, value));
        const std::string place = operand(location, index, mark != kUnmarked);
        line(fmt::format("{} W{},{}", mark == kUnmarked ? "STR" : "STLR", source, place));
    }

    void branch(Register condition, std::uint32_t /*expected*/, std::string_view label) override {
        line(fmt::format("CBNZ W{},{}", condition, label));
        line(fmt::format("{}:", label));
    }

    [[nodiscard]] std::string name(Register reg) const override { return fmt::format("X{}", reg); }
    [[nodiscard]] unsigned capacity() const override { return 31; }

  private:
    Register zero(Register of) {
        const Register result = fresh();
        line(fmt::format("EOR W{},W{},W{}", result, of, of));
        return result;
    }

    /// Acquire and release accesses take a register alone, so for them the index is added before.
    std::string operand(std::uint32_t location, std::optional<Register> index, bool register_only) {
        const Register address = address_of(location);
        if (!index) {
            return fmt::format("[X{}]", address);
        }
        if (!register_only) {
            return fmt::format("[X{},W{},SXTW]", address, *index);
        }
        const Register sum = fresh();
        line(fmt::format("ADD X{},X{},W{},SXTW", sum, address, *index));
        return fmt::format("[X{}]", sum);
    }
};

} // namespace

std::unique_ptr<Column> make_arm_column() { return std::make_unique<ArmColumn>(); }

std::unique_ptr<Column> make_aarch64_column() { return std::make_unique<AArch64Column>(); }

} // namespace heddle::generate
