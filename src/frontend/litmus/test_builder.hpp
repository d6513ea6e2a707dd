// TestBuilder: gathers what a litmus test consists of (locations, what is observed, threads) and makes the LitmusTest of it.
//
// Every location is a global variable in regions of its own, so no small arithmetic on its address reaches another. Scalars take a cell of 64 bytes
// of which accesses use the first `cell` bytes; the size of the accesses to a location is always the same (herd's mode without mixed sizes).
// Locations may still be named while threads are made; the variables of final registers lie behind all that locations can take.
#pragma once

#include "frontend/litmus/frame.hpp"
#include "frontend/litmus/litmus_test.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace heddle::litmus {

/// How a register is shown, and where states list it among those of its thread.
struct RegisterName {
    std::string shown;
    unsigned order = 0;
    unsigned bytes = 8;   ///< of it that this name means: 4 of AArch64's w0, which is shown as X0
    bool is_zero = false; ///< always 0; what is written to it is lost
};

/// What a dialect says about its tests.
struct Conventions {
    Architecture architecture = Architecture::C;
    /// The register of this name, or nothing when there is none.
    std::function<std::optional<RegisterName>(std::string_view)> register_named;
    /// There are no registers but those of Frame::registers: C's variables.
    bool only_declared_registers = false;
    /// Bytes of every access to a location of this type.
    std::function<unsigned(const CType&)> cell;
};

struct Location {
    std::string name;
    CType type;
    Address address = 0;
    unsigned cell = 8;          ///< bytes of an access; an element's size in an array
    std::uint64_t elements = 0; ///< 0: not an array
    std::vector<InitValue> values;
    std::size_t offset = 0; ///< in the source; 0 when it is never declared
};

/// A register whose value a thread leaves behind.
struct FinalRegister {
    std::string name; ///< as RegisterName::shown
    Address address = 0;
    CType type;
};

class TestBuilder {
  public:
    TestBuilder(const Source& source, const Frame& frame, Conventions conventions);

    [[nodiscard]] const Source& source() const { return *source_; }
    [[nodiscard]] const Frame& frame() const { return *frame_; }
    [[nodiscard]] unsigned threads() const { return threads_; }
    /// Tests that name a thread beyond the last are wrong; so this comes before anything observes.
    void set_threads(unsigned threads) { threads_ = threads; }

    /// The location of this name; made, as an int that is 0, when the test did not declare it.
    const Location& location(const std::string& name);
    [[nodiscard]] const Location* find_location(const std::string& name) const;
    /// The value of an initial state.
    std::uint64_t value_of(const InitValue& value);

    std::uint32_t observe_register(unsigned thread, std::string_view name, std::size_t offset);
    std::uint32_t observe_location(const std::string& name, std::optional<std::uint64_t> index, std::size_t offset);
    [[nodiscard]] const Observable& observable(std::uint32_t k) const { return test_.observables[k]; }
    /// A number as it lies in the observable's variable: cut to the type, sign-extended.
    [[nodiscard]] Constant canonical(std::uint32_t observable, std::uint64_t number) const;
    /// What a thread has to write at its end, in the order of observation.
    [[nodiscard]] std::vector<FinalRegister> final_registers(unsigned thread) const;

    /// The declared type of a register.
    [[nodiscard]] CType type_of_register(unsigned thread, std::string_view shown) const;
    [[nodiscard]] const Conventions& conventions() const { return conventions_; }

    /// The place of an offset, inside a thread's function.
    PlaceId place(std::size_t offset, unsigned thread);

    void add_thread(Function function);
    /// A thread has a loop that does not jump back: it was unrolled.
    void note_loop() { test_.has_loops = true; }
    [[nodiscard]] const LitmusTest& test() const { return test_; }

    /// Reads locations, filter and question. Threads must be counted, and need not exist.
    void read_question();
    /// Once all threads are there.
    LitmusTest finish();

  private:
    struct Watched {
        std::uint32_t observable = 0;
        bool is_register = false;
        unsigned thread = 0;
        unsigned order = 0;
        std::string name; ///< of a location
        std::uint64_t index = 0;
        CType type;
    };

    Location& declare(const std::string& name, const CType& type, std::uint64_t elements);
    void declare_initial_state();
    void place_globals();
    void order_shown(const std::vector<std::uint32_t>& shown);
    std::uint32_t name_index(const std::string& name);

    const Source* source_;
    const Frame* frame_;
    Conventions conventions_;
    unsigned threads_ = 0;
    std::map<std::string, Location> locations_;
    std::uint32_t next_region_ = 0;
    std::map<std::string, std::uint32_t> observed_; ///< name shown -> observable
    std::vector<Watched> watched_;                  ///< as test_.observables
    std::uint32_t registers_ = 0;                   ///< observed so far
    LitmusTest test_;
};

} // namespace heddle::litmus
