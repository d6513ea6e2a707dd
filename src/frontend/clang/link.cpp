#include "frontend/clang/link.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/MemoryBuffer.h>

#include <algorithm>
#include <map>
#include <vector>

namespace heddle::clang_frontend {

namespace {

/// What clang writes for x86-64 Linux; for .ll files that leave it out.
constexpr const char* kDataLayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

std::unexpected<Diagnostic> bad_input(std::string message) {
    return std::unexpected(Diagnostic{Diagnostic::Kind::BadInput, std::move(message)});
}

std::expected<void, Diagnostic> check_target(llvm::Module& module, const std::string& file) {
    if (module.getDataLayoutStr().empty()) {
        module.setDataLayout(kDataLayout);
    }
    const llvm::DataLayout& layout = module.getDataLayout();
    if (!layout.isLittleEndian() || layout.getPointerSize() != 8) {
        return std::unexpected(
            Diagnostic{Diagnostic::Kind::Unsupported, file + " is compiled for " + module.getTargetTriple() +
                                                          "; only little-endian 64-bit targets are supported"});
    }
    return {};
}

/// int __heddle_argc; char *__heddle_argv[argc + 1], which the runtime's start function hands to main.
void define_arguments(llvm::Module& module, const Input& input) {
    llvm::LLVMContext& context = module.getContext();
    llvm::PointerType* pointer = llvm::PointerType::getUnqual(context);
    std::vector<std::string> words{input.files.front()};
    words.insert(words.end(), input.arguments.begin(), input.arguments.end());
    std::vector<llvm::Constant*> pointers;
    for (const std::string& word : words) {
        llvm::Constant* text = llvm::ConstantDataArray::getString(context, word);
        // Mutable: C lets a program write to its arguments.
        pointers.push_back(new llvm::GlobalVariable(module, text->getType(), /*isConstant=*/false,
                                                    llvm::GlobalValue::InternalLinkage, text,
                                                    "argv." + std::to_string(pointers.size())));
    }
    pointers.push_back(llvm::ConstantPointerNull::get(pointer));
    const auto define = [&](const char* name, llvm::Constant* value) {
        auto* variable =
            new llvm::GlobalVariable(module, value->getType(), /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage, value);
        if (llvm::GlobalVariable* declared = module.getGlobalVariable(name)) {
            declared->replaceAllUsesWith(variable);
            declared->eraseFromParent();
        }
        variable->setName(name);
    };
    define("__heddle_argv", llvm::ConstantArray::get(llvm::ArrayType::get(pointer, pointers.size()), pointers));
    define("__heddle_argc", llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), words.size()));
}

/// The functions of llvm.global_ctors or llvm.global_dtors by ascending priority.
std::vector<llvm::Function*> functions_of(const llvm::Module& module, const char* list) {
    const llvm::GlobalVariable* variable = module.getNamedGlobal(list);
    std::multimap<std::uint64_t, llvm::Function*> entries; // equal priorities keep their order
    const auto* array =
        variable && variable->hasInitializer() ? llvm::dyn_cast<llvm::ConstantArray>(variable->getInitializer()) : nullptr;
    if (array) {
        for (const llvm::Use& use : array->operands()) {
            const auto* entry = llvm::cast<llvm::ConstantStruct>(use.get());
            if (auto* function = llvm::dyn_cast<llvm::Function>(entry->getOperand(1)->stripPointerCasts())) {
                entries.emplace(llvm::cast<llvm::ConstantInt>(entry->getOperand(0))->getZExtValue(), function);
            }
        }
    }
    std::vector<llvm::Function*> functions;
    for (const auto& [priority, function] : entries) {
        functions.push_back(function);
    }
    return functions;
}

void define_calls(llvm::Module& module, const char* name, const std::vector<llvm::Function*>& callees) {
    llvm::LLVMContext& context = module.getContext();
    llvm::FunctionType* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(name, type).getCallee());
    if (!function->isDeclaration()) {
        return; // the user's own
    }
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", function));
    for (llvm::Function* callee : callees) {
        builder.CreateCall(callee->getFunctionType(), callee, std::vector<llvm::Value*>());
    }
    builder.CreateRetVoid();
}

/// SV-COMP's rules. A call of reach_error (once called __VERIFIER_error) is the error, and a program's own function of that name may do nothing at all. It is called all the same, and
/// if it comes back that is the error. Where reaching it is the only question, and abort is how programs say that something is assumed, the library's comes in its place: what it
/// does then, abort perhaps, must not hide that it was called.
void follow_competition_rules(llvm::Module& module, bool quiet_abort) {
    llvm::FunctionType* const type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), false);
    for (const char* name : {"reach_error", "__VERIFIER_error"}) {
        llvm::Function* const error = module.getFunction(name);
        if (!error || error->isDeclaration() || !error->arg_empty() || !error->getReturnType()->isVoidTy()) {
            continue;
        }
        if (quiet_abort) {
            error->deleteBody();
            continue;
        }
        for (llvm::BasicBlock& block : *error) {
            if (auto* const end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
                llvm::IRBuilder<>(end)
                    .CreateCall(module.getOrInsertFunction("__heddle_rt_error_reached", type))
                    ->setDebugLoc(end->getDebugLoc());
            }
        }
    }
    llvm::Function* const abort = quiet_abort ? module.getFunction("abort") : nullptr;
    if (abort && abort->isDeclaration()) {
        abort->replaceAllUsesWith(module.getOrInsertFunction("__heddle_rt_quiet_abort", abort->getFunctionType()).getCallee());
    }
}

std::expected<void, Diagnostic> link_runtime(llvm::Module& module, const Input& input, std::string& errors) {
    const std::string path = (input.resources / "runtime.bc").string();
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer) {
        return bad_input(path + ": " + buffer.getError().message() + "; the installation of Heddle is incomplete");
    }
    auto runtime = llvm::getOwningLazyBitcodeModule(std::move(*buffer), module.getContext(), /*ShouldLazyLoadMetadata=*/true);
    if (!runtime) {
        return bad_input(path + ": " + llvm::toString(runtime.takeError()));
    }
    // Nobody in the program refers to these, so they are asked for by name.
    for (const char* name : {kStartFunction, kThreadMainFunction}) {
        if (const llvm::Function* wanted = (*runtime)->getFunction(name)) {
            module.getOrInsertFunction(name, wanted->getFunctionType());
        }
    }
    if (llvm::Linker::linkModules(module, std::move(*runtime), llvm::Linker::Flags::LinkOnlyNeeded)) {
        return bad_input("the runtime library cannot be linked: " + errors);
    }
    if (const llvm::Function* start = module.getFunction(kStartFunction); !start || start->isDeclaration()) {
        return bad_input(path + " has no function " + kStartFunction + "; the installation of Heddle is incomplete");
    }
    return {};
}

std::string names_of(const std::vector<std::string>& files) {
    std::string text;
    for (const std::string& file : files) {
        text += (text.empty() ? "" : ", ") + file;
    }
    return text;
}

} // namespace

std::expected<LinkedModule, Diagnostic> link(Modules modules, const Input& input, std::string& errors) {
    for (std::size_t i = 0; i < modules.size(); ++i) {
        if (auto checked = check_target(*modules[i], input.files[i]); !checked) {
            return std::unexpected(checked.error());
        }
    }
    LinkedModule linked{std::move(modules.front()), {}};
    for (std::size_t i = 1; i < modules.size(); ++i) {
        if (llvm::Linker::linkModules(*linked.module, std::move(modules[i]))) {
            return bad_input("cannot link " + input.files[i] + ": " + errors);
        }
    }
    llvm::Module& module = *linked.module;
    const llvm::Function* main = module.getFunction("main");
    if (!main || main->isDeclaration()) {
        return bad_input(input.files.size() == 1 ? input.files.front() + " has no function main"
                                                 : "none of " + names_of(input.files) + " has a function main");
    }
    follow_competition_rules(module, input.quiet_abort);
    for (const llvm::GlobalValue& value : module.global_values()) {
        if (!value.isDeclaration()) {
            linked.written_by_user.insert(&value);
        }
    }
    define_arguments(module, input);
    define_calls(module, "__heddle_init_array", functions_of(module, "llvm.global_ctors"));
    std::vector<llvm::Function*> destructors = functions_of(module, "llvm.global_dtors");
    std::ranges::reverse(destructors);
    define_calls(module, "__heddle_fini_array", destructors);
    if (auto done = link_runtime(module, input, errors); !done) {
        return std::unexpected(done.error());
    }
    return linked;
}

} // namespace heddle::clang_frontend
