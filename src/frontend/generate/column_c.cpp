// C, with atomic_int locations. Every access is atomic; a mark is its memory order.
#include "frontend/generate/column.hpp"

#include <array>
#include <fmt/format.h>
#include <limits>

namespace heddle::generate {
namespace {

class CColumn final : public Column {
  public:
    Register load(std::uint32_t location, Mark mark, const Leaning& /*leaning*/) override {
        mention(location);
        const Register value = fresh();
        statement(fmt::format("int {} = atomic_load_explicit({}, {});", name(value), location_name(location), kOrders[mark]));
        return value;
    }

    void store(std::uint32_t location, std::uint32_t value, Mark mark, const Leaning& leaning) override {
        mention(location);
        const std::string data = leaning.data ? fmt::format("{} + ({} ^ {})", value, name(*leaning.data), name(*leaning.data))
                                              : fmt::format("{}", value);
        statement(fmt::format("atomic_store_explicit({}, {}, {});", location_name(location), data, kOrders[mark]));
    }

    /// A compiler would drop a branch that changes nothing; here the rest of the thread is under the condition, which holds when the cycle exists.
    void branch(Register condition, std::uint32_t expected, std::string_view /*label*/) override {
        statement(fmt::format("if ({} == {}) {{", name(condition), expected));
        ++depth_;
    }

    void fence(std::string_view instruction) override { statement(fmt::format("atomic_thread_fence({});", instruction)); }

    void finish() override {
        while (depth_ > 1) {
            --depth_;
            statement("}");
        }
    }

    [[nodiscard]] std::string name(Register reg) const override { return fmt::format("r{}", reg); }
    [[nodiscard]] unsigned capacity() const override { return std::numeric_limits<unsigned>::max(); }

  private:
    static constexpr std::array<std::string_view, 4> kOrders = {"memory_order_relaxed", "memory_order_acquire",
                                                                "memory_order_release", "memory_order_seq_cst"};

    void statement(std::string_view text) { line(fmt::format("{:{}}{}", "", 2 * depth_, text)); }

    unsigned depth_ = 1; ///< of nested blocks
};

} // namespace

std::unique_ptr<Column> make_c_column() { return std::make_unique<CColumn>(); }

} // namespace heddle::generate
