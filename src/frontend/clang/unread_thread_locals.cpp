// A thread-local variable that is only ever updated (ticks += n), and from which nothing else is computed, says nothing to anybody. But each update
// makes the thread differ from what it was: `while (!flag) usleep(10);` would never be seen to go in circles, because the runtime library adds up
// the time that has passed, also in programs that never look at a clock. So the updates go. (What nobody uses of the runtime is not linked;
// a program that looks at a clock has the function that reads it.)
#include "frontend/clang/idle_code.hpp"
#include "frontend/clang/passes.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace heddle::clang_frontend {

namespace {

class Updates {
  public:
    /// Are all uses of the variable plain loads, whose values go nowhere but back, and plain stores? There must be both: what is only written may be
    /// what keeps an object from being lost.
    bool collect(llvm::GlobalVariable& variable) {
        return collect_accesses(variable) && !values_.empty() && llvm::all_of(values_, [&](const llvm::Instruction* value) {
                   return llvm::all_of(value->users(), [&](const llvm::User* user) {
                       const auto* instruction = llvm::cast<llvm::Instruction>(user);
                       return seen_.contains(instruction) || stores_.contains(instruction);
                   });
               });
    }

    void remove() {
        for (llvm::Instruction* store : stores_) {
            store->eraseFromParent();
        }
    }

  private:
    bool collect_accesses(llvm::Value& pointer) {
        for (llvm::User* user : pointer.users()) {
            if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->isSimple()) {
                follow(*load);
            } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
                       store && store->isSimple() && store->getValueOperand() != &pointer) {
                stores_.insert(store);
            } else if (auto* address = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                       !address || address->getIntrinsicID() != llvm::Intrinsic::threadlocal_address ||
                       !collect_accesses(*address)) {
                return false;
            }
        }
        return true;
    }

    /// All that is computed from `value` and computes only.
    void follow(llvm::Instruction& value) {
        if (!seen_.insert(&value).second) {
            return;
        }
        values_.push_back(&value);
        for (llvm::User* user : value.users()) {
            auto* instruction = llvm::cast<llvm::Instruction>(user);
            if (only_computes(*instruction)) {
                follow(*instruction);
            }
        }
    }

    std::vector<llvm::Instruction*> values_;
    llvm::SmallPtrSet<const llvm::Instruction*, 16> seen_; ///< the same, as a set
    llvm::SmallPtrSet<llvm::Instruction*, 8> stores_;
};

/// Are all uses of the variable plain loads of all of it? These, and what gives them its address, are put on the list, each behind its users.
bool is_only_loaded(llvm::Value& pointer, const llvm::Type* type, std::vector<llvm::Instruction*>& users) {
    for (llvm::User* user : pointer.users()) {
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->isSimple() && load->getType() == type) {
            users.push_back(load);
        } else if (auto* address = llvm::dyn_cast<llvm::IntrinsicInst>(user);
                   address && address->getIntrinsicID() == llvm::Intrinsic::threadlocal_address &&
                   is_only_loaded(*address, type, users)) {
            users.push_back(address);
        } else {
            return false;
        }
    }
    return true;
}

/// One that nobody ever writes has the value that it begins with: how many thread-specific values a thread has set, where the program sets none. That is asked at the end of each
/// thread, which would have the variable made for it.
void replace_if_unwritten(llvm::GlobalVariable& variable) {
    std::vector<llvm::Instruction*> users;
    if (!variable.hasInitializer() || !is_only_loaded(variable, variable.getValueType(), users)) {
        return;
    }
    for (llvm::Instruction* user : users) {
        if (llvm::isa<llvm::LoadInst>(user)) {
            user->replaceAllUsesWith(variable.getInitializer());
        }
        user->eraseFromParent();
    }
}

} // namespace

void remove_unread_thread_locals(llvm::Module& module) {
    for (llvm::GlobalVariable& variable : module.globals()) {
        if (variable.isThreadLocal() && !variable.isDeclaration() && variable.getValueType()->isIntegerTy()) {
            Updates updates;
            if (updates.collect(variable)) {
                updates.remove();
            }
            replace_if_unwritten(variable);
        }
    }
}

} // namespace heddle::clang_frontend
