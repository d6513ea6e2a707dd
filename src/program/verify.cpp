#include "program/verify.hpp"

#include "program/slot_uses.hpp"
#include "program/targets.hpp"

#include <algorithm>

namespace heddle {

namespace {

class FunctionVerifier {
  public:
    FunctionVerifier(const Program& program, const Function& function, std::vector<std::string>& broken)
        : program_(program), function_(function), broken_(broken) {}

    void run() {
        const Function& f = function_;
        require(!f.code.empty(), "has no code");
        require(f.places.size() == f.code.size(), "has not one place per instruction");
        require(f.params <= f.first_constant, "has parameters among its constants");
        require(f.slots == f.first_constant + f.constants.size(), "has a wrong number of slots");
        for (const Slot slot : f.operands) {
            require(slot < f.slots, "has an argument outside its frame");
        }
        for (const Switch& s : f.switches) {
            target(s.otherwise);
            for (std::size_t i = 0; i < s.cases.size(); ++i) {
                target(s.cases[i].target);
                require(i == 0 || s.cases[i - 1].value < s.cases[i].value, "has an unsorted switch");
            }
        }
        for (const Local& local : f.locals) {
            require(local.offset + std::uint64_t{local.size} <= f.local_bytes, "has a local outside its frame");
            require(local.region + span_of(local.size, local.align).regions <= f.local_regions,
                    "has a local outside its regions");
        }
        for (at_ = 0; at_ < f.code.size(); ++at_) {
            instruction(f.code[at_]);
        }
        loops();
        if (!f.code.empty()) {
            at_ = f.code.size() - 1;
            require(is_terminator(f.code.back().op), "does not end in a terminator");
        }
    }

  private:
    void require(bool condition, const std::string& what) {
        if (!condition) {
            std::string text = "function '" + function_.name + "' ";
            if (at_ < function_.code.size()) {
                text += "at " + std::to_string(at_) + " (" + name_of(function_.code[at_].op) + ") ";
            }
            broken_.push_back(text + what);
        }
    }

    /// Every loop has one head, and what it calls live is there.
    void loops() {
        std::vector<unsigned> heads(function_.loops.size(), 0);
        for (const Instr& i : function_.code) {
            if (i.op == Op::Loop && i.imm < heads.size()) {
                ++heads[i.imm];
            }
        }
        for (std::size_t k = 0; k < heads.size(); ++k) {
            const Loop& loop = function_.loops[k];
            require(heads[k] == 1, "has a loop without exactly one head");
            require(loop.place.index < program_.places.size(), "has a loop with a place out of range");
            require(loop.live.empty() || loop.live.back() < function_.first_constant, "has a loop with a live slot out of range");
            require(std::ranges::is_sorted(loop.live), "has a loop with unsorted slots");
            require(std::ranges::all_of(loop.live_locals, [&](std::uint32_t l) { return l < function_.locals.size(); }),
                    "has a loop with a live local that does not exist");
        }
    }

    void target(std::uint64_t index) { require(index < function_.code.size(), "jumps out of the code"); }

    void written(Slot first, std::uint64_t count) {
        require(first + count <= function_.slots, "writes outside its frame");
        require(count == 0 || first + count <= function_.first_constant, "writes a constant");
    }

    void operands(std::uint32_t first, std::uint32_t count) {
        require(std::uint64_t{first} + count <= function_.operands.size(), "has an argument list out of range");
    }

    void local(std::uint64_t index, std::uint64_t offset, std::uint64_t bytes) {
        require(index < function_.locals.size(), "names a local that does not exist");
        if (index < function_.locals.size()) {
            require(offset + bytes <= function_.locals[index].size, "accesses a local out of its bounds");
        }
    }

    void call(const Instr& i) {
        operands(i.y(), i.a);
        require(i.x() < program_.functions.size(), "calls a function that does not exist");
        if (i.x() >= program_.functions.size()) {
            return;
        }
        const Function& callee = program_.functions[i.x()];
        require(i.a == callee.params, "calls '" + callee.name + "' with a wrong number of arguments");
        if (i.dst != kNoSlot) {
            written(i.dst, callee.results);
        }
    }

    void instruction(const Instr& i) {
        const SlotUses uses = slot_uses(i);
        for (const SlotUse& use : uses.all()) {
            const Slot first = slot_in(i, use.field);
            require(first + std::uint32_t{use.count} <= function_.slots, "names a slot outside its frame");
            if (use.writes) {
                written(first, use.count);
            }
        }
        references(i);
    }

    /// The fields that name something other than a slot.
    void references(const Instr& i) {
        if (i.op == Op::Switch) { // whose targets are looked at once, with the function's tables
            return require(i.imm < function_.switches.size(), "names a switch that does not exist");
        }
        each_target(i, function_.switches, [this](std::uint64_t index) { target(index); });
        switch (i.op) {
        case Op::Call:
            return call(i);
        case Op::CallPtr:
            return operands(i.y(), i.b);
        case Op::Builtin:
            return operands(i.y(), i.a);
        case Op::Ret:
            require(i.a == function_.results, "returns a wrong number of results");
            return operands(i.y(), i.a);
        case Op::LocalAddr:
        case Op::LocalUndef:
            return local(i.imm, 0, 0);
        case Op::LoadLocal:
        case Op::StoreLocal:
            return local(i.a, i.x(), i.e());
        case Op::Loop:
            return require(i.imm < function_.loops.size(), "names a loop that does not exist");
        case Op::TlsAddr:
            return require(i.imm < program_.thread_locals.size(), "names a thread-local variable that does not exist");
        case Op::Unsupported:
            return require(i.imm < program_.messages.size(), "names a message that does not exist");
        default:
            return;
        }
    }

    const Program& program_;
    const Function& function_;
    std::vector<std::string>& broken_;
    std::size_t at_ = ~std::size_t{0}; ///< the instruction under the eye; beyond the code: the function as a whole
};

void verify_globals(const Program& program, std::vector<std::string>& broken) {
    for (std::size_t i = 0; i < program.globals.size(); ++i) {
        const Global& g = program.globals[i];
        const bool constant = i >= program.first_constant_global;
        if (g.constant != constant || kind_of(g.address) != (constant ? AddressKind::Constant : AddressKind::Global)) {
            broken.push_back("global '" + g.name + "' is among the wrong sort");
        }
        if (!g.init.empty() && g.init.size() != g.size) {
            broken.push_back("global '" + g.name + "' has incomplete initial bytes");
        }
        if (i > 0 && i != program.first_constant_global &&
            program.globals[i - 1].address + program.globals[i - 1].size > g.address) {
            broken.push_back("global '" + g.name + "' overlaps the one before it");
        }
        if (program.global_at(g.address) != &g) {
            broken.push_back("global '" + g.name + "' is not found at its address");
        }
    }
}

} // namespace

std::vector<std::string> verify(const Program& program) {
    std::vector<std::string> broken;
    for (const Function& function : program.functions) {
        FunctionVerifier(program, function, broken).run();
        for (const PlaceId place : function.places) {
            if (place.index >= program.places.size()) {
                broken.push_back("function '" + function.name + "' has a place out of range");
                break;
            }
        }
    }
    verify_globals(program, broken);
    if (program.start.index >= program.functions.size()) {
        broken.push_back("the start function does not exist");
    } else if (program.function(program.start).params != 0) {
        broken.push_back("the start function takes arguments");
    }
    return broken;
}

} // namespace heddle
