// X86 in Intel's notation, X86_64 in AT&T's, as the tests that are around have them. TSO keeps no dependencies, so there are none.
#include "frontend/generate/column.hpp"

#include "support/check.hpp"

#include <array>
#include <fmt/format.h>

namespace heddle::generate {
namespace {

class X86Column final : public Column {
  public:
    Register load(std::uint32_t location, Mark /*mark*/, const Leaning& /*leaning*/) override {
        mention(location);
        const Register value = fresh();
        line(fmt::format("MOV {},[{}]", name(value), location_name(location)));
        return value;
    }
    void store(std::uint32_t location, std::uint32_t value, Mark /*mark*/, const Leaning& /*leaning*/) override {
        mention(location);
        line(fmt::format("MOV [{}],${}", location_name(location), value));
    }
    void branch(Register /*condition*/, std::uint32_t /*expected*/, std::string_view /*label*/) override {
        HEDDLE_CHECK(false, "X86 has no dependencies here");
    }
    [[nodiscard]] std::string name(Register reg) const override { return kNames[reg % kNames.size()]; }
    [[nodiscard]] unsigned capacity() const override { return kNames.size(); }

  private:
    static constexpr std::array<const char*, 6> kNames = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI"};
};

class X8664Column final : public Column {
  public:
    Register load(std::uint32_t location, Mark /*mark*/, const Leaning& /*leaning*/) override {
        mention(location);
        const Register value = fresh();
        line(fmt::format("movl ({}),%{}", location_name(location), kHalves[value % kHalves.size()]));
        return value;
    }
    void store(std::uint32_t location, std::uint32_t value, Mark /*mark*/, const Leaning& /*leaning*/) override {
        mention(location);
        line(fmt::format("movl ${},({})", value, location_name(location)));
    }
    void branch(Register /*condition*/, std::uint32_t /*expected*/, std::string_view /*label*/) override {
        HEDDLE_CHECK(false, "X86_64 has no dependencies here");
    }
    [[nodiscard]] std::string name(Register reg) const override { return kNames[reg % kNames.size()]; }
    [[nodiscard]] unsigned capacity() const override { return kNames.size(); }

  private:
    static constexpr std::array<const char*, 6> kNames = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi"};
    static constexpr std::array<const char*, 6> kHalves = {"eax", "ebx", "ecx", "edx", "esi", "edi"};
};

} // namespace

std::unique_ptr<Column> make_x86_column() { return std::make_unique<X86Column>(); }

std::unique_ptr<Column> make_x86_64_column() { return std::make_unique<X8664Column>(); }

} // namespace heddle::generate
