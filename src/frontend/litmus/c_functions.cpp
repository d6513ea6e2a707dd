#include "frontend/litmus/c_functions.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace heddle::litmus {

namespace {

using Shape = CFunction::Shape;
using Result = CFunction::Result;

template <class T, std::size_t N> using Words = std::array<std::pair<std::string_view, T>, N>;

template <class T, std::size_t N> std::optional<T> look_up(const Words<T, N>& words, std::string_view word) {
    const auto found = std::ranges::find(words, word, &std::pair<std::string_view, T>::first);
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

/// Takes `prefix` off, if it is there.
bool take_prefix(std::string_view& name, std::string_view prefix) {
    if (!name.starts_with(prefix)) {
        return false;
    }
    name.remove_prefix(prefix.size());
    return true;
}
bool take_suffix(std::string_view& name, std::string_view suffix) {
    if (!name.ends_with(suffix)) {
        return false;
    }
    name.remove_suffix(suffix.size());
    return true;
}

constexpr Words<Order, 6> kMemoryOrders{{{"memory_order_relaxed", Order::Relaxed},
                                         {"memory_order_consume", Order::Acquire},
                                         {"memory_order_acquire", Order::Acquire},
                                         {"memory_order_release", Order::Release},
                                         {"memory_order_acq_rel", Order::AcqRel},
                                         {"memory_order_seq_cst", Order::SeqCst}}};

constexpr Words<RmwOp, 5> kOperations{
    {{"add", RmwOp::Add}, {"sub", RmwOp::Sub}, {"and", RmwOp::And}, {"or", RmwOp::Or}, {"xor", RmwOp::Xor}}};

constexpr Words<FenceKind, 12> kKernelFences{{{"smp_mb", FenceKind::Mb},
                                              {"smp_rmb", FenceKind::Rmb},
                                              {"smp_wmb", FenceKind::Wmb},
                                              {"smp_mb__before_atomic", FenceKind::BeforeAtomic},
                                              {"smp_mb__after_atomic", FenceKind::AfterAtomic},
                                              {"smp_mb__after_spinlock", FenceKind::AfterSpinlock},
                                              {"smp_mb__after_unlock_lock", FenceKind::AfterUnlockLock},
                                              {"rcu_read_lock", FenceKind::RcuLock},
                                              {"rcu_read_unlock", FenceKind::RcuUnlock},
                                              {"synchronize_rcu", FenceKind::SyncRcu},
                                              {"synchronize_rcu_expedited", FenceKind::SyncRcu},
                                              {"synchronize_sched", FenceKind::SyncRcu}}};

/// The words in braces of herd's primitives.
constexpr Words<Order, 6> kTagOrders{{{"once", Order::Relaxed},
                                      {"noreturn", Order::Relaxed},
                                      {"acquire", Order::Acquire},
                                      {"release", Order::Release},
                                      {"mb", Order::SeqCst},
                                      {"sc", Order::SeqCst}}};
constexpr Words<FenceKind, 10> kTagFences{{{"mb", FenceKind::Mb},
                                           {"rmb", FenceKind::Rmb},
                                           {"wmb", FenceKind::Wmb},
                                           {"before-atomic", FenceKind::BeforeAtomic},
                                           {"after-atomic", FenceKind::AfterAtomic},
                                           {"after-spinlock", FenceKind::AfterSpinlock},
                                           {"after-unlock-lock", FenceKind::AfterUnlockLock},
                                           {"rcu-lock", FenceKind::RcuLock},
                                           {"rcu-unlock", FenceKind::RcuUnlock},
                                           {"sync-rcu", FenceKind::SyncRcu}}};

/// Load, store, exchange, fetch_add, ...: what C11's functions and C++'s methods share, without orders.
std::optional<CFunction> c11_operation(std::string_view name) {
    CFunction f{.order = Order::SeqCst, .failure_order = Order::SeqCst, .orders = 1};
    if (name == "load") {
        f.shape = Shape::Load;
    } else if (name == "store") {
        f.shape = Shape::Store;
    } else if (name == "exchange") {
        f.shape = Shape::Update;
    } else if (take_prefix(name, "fetch_")) {
        const auto op = look_up(kOperations, name);
        if (!op) {
            return std::nullopt;
        }
        f.shape = Shape::Update;
        f.op = *op;
    } else if (name == "compare_exchange_strong" || name == "compare_exchange_weak") {
        f.shape = Shape::CompareExpected;
        f.orders = 2;
        f.weak = name == "compare_exchange_weak";
    } else {
        return std::nullopt;
    }
    return f;
}

std::optional<CFunction> c11_function(std::string_view name) {
    if (name == "atomic_thread_fence") {
        return CFunction{.shape = Shape::Fence, .orders = 1};
    }
    if (name == "atomic_init") {
        return CFunction{.shape = Shape::Store, .order = Order::NonAtomic};
    }
    if (!take_prefix(name, "atomic_")) {
        return std::nullopt;
    }
    const bool has_orders = take_suffix(name, "_explicit");
    auto f = c11_operation(name);
    if (f && !has_orders) {
        f->orders = 0;
    }
    return f;
}

/// "_acquire" and its like at the end of the name of a kernel function; without one, a function that gives a value is fully ordered.
Order take_kernel_order(std::string_view& name, Order otherwise) {
    return take_suffix(name, "_relaxed")   ? Order::Relaxed
           : take_suffix(name, "_acquire") ? Order::Acquire
           : take_suffix(name, "_release") ? Order::Release
                                           : otherwise;
}

/// What follows atomic_, in the kernel. An update that gives nothing is unordered, and so is a comparison that fails.
std::optional<CFunction> kernel_atomic(std::string_view name) {
    if (name == "read" || name == "read_acquire") {
        return CFunction{.shape = Shape::Load, .order = name == "read" ? Order::Relaxed : Order::Acquire};
    }
    if (name == "set" || name == "set_release") {
        return CFunction{.shape = Shape::Store, .order = name == "set" ? Order::Relaxed : Order::Release};
    }
    if (name == "add_unless") {
        return CFunction{.shape = Shape::AddUnless, .op = RmwOp::AddUnless, .order = Order::SeqCst};
    }
    CFunction f{.shape = Shape::Update, .location_last = true};
    if (name == "add_negative") {
        f.result = Result::NewIsNegative;
        f.op = RmwOp::Add;
        f.order = Order::SeqCst;
        return f;
    }
    const std::string_view whole = name;
    f.order = take_kernel_order(name, Order::SeqCst);
    const bool has_order = name.size() != whole.size();
    const bool fetches = take_prefix(name, "fetch_");
    const bool returns = !fetches && take_suffix(name, "_return");
    const bool tests = !fetches && !returns && !has_order && take_suffix(name, "_and_test");
    f.result = fetches ? Result::Old : returns ? Result::New : tests ? Result::NewIsZero : Result::Nothing;
    if (f.result == Result::Nothing) {
        if (has_order) { // there is no atomic_add_acquire
            return std::nullopt;
        }
        f.order = Order::Relaxed;
    }
    if (name == "inc" || name == "dec") {
        f.op = name == "inc" ? RmwOp::Add : RmwOp::Sub;
        f.operand_is_one = true;
        return f;
    }
    const auto op = look_up(kOperations, name);
    f.op = op.value_or(RmwOp::Xchg);
    return op ? std::optional(f) : std::nullopt;
}

std::optional<CFunction> kernel_exchange(std::string_view name) {
    CFunction f{.order = take_kernel_order(name, Order::SeqCst)};
    if (name == "xchg") {
        f.shape = Shape::Update;
    } else if (name == "cmpxchg") {
        f.shape = Shape::CompareValue;
    } else {
        return std::nullopt;
    }
    return f;
}

std::optional<CFunction> kernel_function(std::string_view name) {
    if (const auto fence = look_up(kKernelFences, name)) {
        // Models that do not know the kernel's words see whether the fence is a full one.
        const bool full = *fence == FenceKind::Mb || *fence == FenceKind::SyncRcu;
        return CFunction{.shape = Shape::Fence, .order = full ? Order::SeqCst : Order::Relaxed, .fence = *fence};
    }
    static constexpr Words<CFunction, 11> kOthers{{
        {"READ_ONCE", {.shape = Shape::Load, .location_is_value = true}},
        {"ACCESS_ONCE", {.shape = Shape::Load, .location_is_value = true}},
        {"rcu_dereference", {.shape = Shape::Load, .location_is_value = true}},
        {"smp_load_acquire", {.shape = Shape::Load, .order = Order::Acquire}},
        {"WRITE_ONCE", {.shape = Shape::Store, .location_is_value = true}},
        {"smp_store_release", {.shape = Shape::Store, .order = Order::Release}},
        {"rcu_assign_pointer", {.shape = Shape::Store, .order = Order::Release, .location_is_value = true}},
        {"smp_store_mb", {.shape = Shape::StoreThenFence, .fence = FenceKind::Mb, .location_is_value = true}},
        {"spin_lock", {.shape = Shape::Lock, .order = Order::Acquire}},
        {"spin_unlock", {.shape = Shape::Unlock, .order = Order::Release}},
        {"spin_trylock", {.shape = Shape::TryLock, .order = Order::Acquire}},
    }};
    if (const auto other = look_up(kOthers, name)) {
        return other;
    }
    if (const auto exchange = kernel_exchange(name)) {
        return exchange;
    }
    if (!take_prefix(name, "atomic_long_") && !take_prefix(name, "atomic64_") && !take_prefix(name, "atomic_")) {
        return std::nullopt;
    }
    const auto exchange = kernel_exchange(name);
    return exchange ? exchange : kernel_atomic(name);
}

/// __load{once}(*x) and its like: what herd turns the kernel's functions into. Known in both dialects.
std::optional<CFunction> primitive(std::string_view name, std::string_view tag) {
    if (name == "__fence") {
        const auto fence = look_up(kTagFences, tag);
        return fence ? std::optional(CFunction{.shape = Shape::Fence, .fence = *fence}) : std::nullopt;
    }
    static constexpr Words<CFunction, 5> kPrimitives{{
        {"__load", {.shape = Shape::Load, .location_is_value = true}},
        {"__store", {.shape = Shape::Store, .location_is_value = true}},
        {"__xchg", {.shape = Shape::Update}},
        {"__cmpxchg", {.shape = Shape::CompareValue}},
        {"__atomic_add_unless", {.shape = Shape::AddUnless, .op = RmwOp::AddUnless}},
    }};
    auto f = look_up(kPrimitives, name);
    const auto order = look_up(kTagOrders, tag);
    if (!f || !order) {
        return std::nullopt;
    }
    f->order = *order;
    return f;
}

bool only_kernel_has(std::string_view name) { return kernel_function(name) && !c11_function(name); }

bool calls_kernel(const CExpression* e) {
    return e != nullptr && ((e->kind == CExpression::Kind::Call && !e->tag && only_kernel_has(e->name)) ||
                            std::ranges::any_of(e->operands, [](const auto& part) { return calls_kernel(part.get()); }));
}

bool calls_kernel(const CStatement* s) {
    return s != nullptr && (calls_kernel(s->target.get()) || calls_kernel(s->value.get()) ||
                            std::ranges::any_of(s->parts, [](const auto& part) { return calls_kernel(part.get()); }));
}

} // namespace

std::size_t CFunction::arity() const {
    switch (shape) {
    case Shape::Fence:
        return 0;
    case Shape::Load:
    case Shape::Lock:
    case Shape::Unlock:
    case Shape::TryLock:
        return 1;
    case Shape::Store:
    case Shape::StoreThenFence:
        return 2;
    case Shape::Update:
        return operand_is_one ? 1 : 2;
    case Shape::CompareValue:
    case Shape::CompareExpected:
    case Shape::AddUnless:
        return 3;
    }
    return 0;
}

std::optional<CFunction> find_c_function(CDialect dialect, std::string_view name, const std::optional<std::string>& tag) {
    return tag ? primitive(name, *tag) : dialect == CDialect::Kernel ? kernel_function(name) : c11_function(name);
}

std::optional<CFunction> find_c_method(std::string_view name) {
    auto f = c11_operation(name);
    if (f) {
        f->method = true;
    }
    return f;
}

std::optional<Order> find_memory_order(std::string_view name) { return look_up(kMemoryOrders, name); }

CDialect dialect_of(const std::vector<CThread>& threads) {
    const bool kernel = std::ranges::any_of(threads, [](const CThread& t) { return calls_kernel(t.body.get()); });
    return kernel ? CDialect::Kernel : CDialect::C11;
}

} // namespace heddle::litmus
