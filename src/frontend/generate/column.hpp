// Column: one thread of a litmus test while it is being written; a class derived from it for each architecture.
//
// A false dependency is one whose value does not matter: r xor r is 0 whatever r is. It goes into an address by an index of 0 and into data by
// adding 0; a branch on it leads to the next instruction either way.
#pragma once

#include "frontend/generate/relation.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::generate {

/// Of a location; "x", "y", "z", "a", ..., "w".
std::string location_name(std::uint32_t location);

class Column {
  public:
    /// A register, or a local variable of C, by number in its thread.
    using Register = unsigned;

    /// What an access leans on: the registers of earlier reads that its address and its data are made to depend on.
    struct Leaning {
        std::optional<Register> address = std::nullopt;
        std::optional<Register> data = std::nullopt;
    };

    Column() = default;
    virtual ~Column() = default;
    Column(const Column&) = delete;
    Column& operator=(const Column&) = delete;

    /// Reads into a new register.
    virtual Register load(std::uint32_t location, Mark mark, const Leaning& leaning) = 0;
    virtual void store(std::uint32_t location, std::uint32_t value, Mark mark, const Leaning& leaning) = 0;
    /// What follows depends on `condition` for control. `expected` is what the register holds when the cycle exists.
    virtual void branch(Register condition, std::uint32_t expected, std::string_view label) = 0;
    virtual void fence(std::string_view instruction) { line(std::string(instruction)); }
    /// Called once, behind the last access.
    virtual void finish() {}
    /// As final conditions name it.
    [[nodiscard]] virtual std::string name(Register reg) const = 0;
    /// How many registers there are.
    [[nodiscard]] virtual unsigned capacity() const = 0;

    [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
    /// The locations in the order of their first use, each with the register that holds its address (if registers do).
    [[nodiscard]] const std::vector<std::pair<std::uint32_t, Register>>& locations() const { return locations_; }
    /// False when more registers were asked for than there are; the text is then meaningless.
    [[nodiscard]] bool fits() const { return next_ <= capacity(); }

  protected:
    void line(std::string text) { lines_.push_back(std::move(text)); }
    Register fresh() { return next_++; }
    /// The register that holds the address.
    Register address_of(std::uint32_t location);
    /// Notes that the thread uses the location, where addresses are not in registers.
    void mention(std::uint32_t location);

  private:
    std::vector<std::string> lines_;
    std::vector<std::pair<std::uint32_t, Register>> locations_;
    Register next_ = 0; ///< registers are given out in order
};

std::unique_ptr<Column> make_ppc_column();
std::unique_ptr<Column> make_x86_column();
std::unique_ptr<Column> make_x86_64_column();
std::unique_ptr<Column> make_arm_column();
std::unique_ptr<Column> make_aarch64_column();
std::unique_ptr<Column> make_riscv_column();
std::unique_ptr<Column> make_c_column();

std::unique_ptr<Column> make_column(Dialect dialect);

} // namespace heddle::generate
