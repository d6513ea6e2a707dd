// Which addresses may reach another thread, or outlive the call that made them.
//
// What does not escape is private: the machine keeps it in the frame and its accesses are no actions, which is where most of the speed of the
// search comes from. So the analysis must be sound, and is otherwise as simple as possible: an address escapes when it is stored
// anywhere, turned into an integer, returned, or handed to something not known to keep it to itself.
//
// LLVM's `nocapture` is not used: it lets a callee hand the pointer to another thread as long as no copy outlives the call, and LLVM gives it to
// functions by their name. Comparisons, on the other hand, which LLVM counts as capturing, are harmless here.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Argument.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <cstdint>

namespace heddle::clang_frontend {

class EscapeAnalysis {
  public:
    /// Finds what each function of the module does with its pointer parameters. The module must not change afterwards.
    explicit EscapeAnalysis(const llvm::Module& module);

    /// May the address that `root` (a variable's) gives reach another thread or outlive the call?
    [[nodiscard]] bool escapes(const llvm::Value& root) const { return trace(root) != Fate::Kept; }

  private:
    /// What becomes of an address, the worst last.
    enum class Fate : std::uint8_t { Kept, Returned, Escapes };

    [[nodiscard]] Fate trace(const llvm::Value& root) const;
    /// The fate by one use; `follow` becomes true when the user's value is an address of the same object.
    [[nodiscard]] Fate fate_of(const llvm::Use& use, bool& follow) const;
    [[nodiscard]] Fate fate_in_call(const llvm::CallBase& call, const llvm::Use& use, bool& follow) const;

    llvm::DenseMap<const llvm::Argument*, Fate> parameters_; ///< all pointer parameters of defined functions
};

} // namespace heddle::clang_frontend
