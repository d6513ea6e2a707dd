#include "model/cat/names.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace heddle::cat {
namespace {

using enum Architecture;

constexpr unsigned on(Architecture a) { return 1U << static_cast<unsigned>(a); }
constexpr unsigned kEverywhere = ~0U;

struct NamedSet {
    std::string_view name;
    unsigned where; ///< bits of architectures
    Membership contains;
};

template <EventKind kind> bool is_kind(const Event& e) { return e.kind == kind; }

/// A fence is the same on every architecture: a C program may have assembly of each.
template <FenceKind... kinds> bool is_fence(const Event& e) { return e.kind == EventKind::Fence && ((e.fence == kinds) || ...); }

/// Of an access or a C11 fence of the program.
template <Order... orders> bool has_order(const Event& e) {
    return (e.is_read() || e.kind == EventKind::Write || e.kind == EventKind::Fence) && ((e.order == orders) || ...);
}
template <Order... orders> bool reads_with(const Event& e) { return e.is_read() && ((e.order == orders) || ...); }
template <Order... orders> bool writes_with(const Event& e) { return e.kind == EventKind::Write && ((e.order == orders) || ...); }
template <Order... orders> bool accesses_with(const Event& e) { return reads_with<orders...>(e) || writes_with<orders...>(e); }

bool is_exclusive(const Event& e) { return e.exclusive; }
bool is_update(const Event& e) { return e.update; }
bool is_locked(const Event& e) { return e.update || e.exclusive; }
bool has_no_return(const Event& e) { return e.is_read() && e.no_return; }
bool is_atomic(const Event& e) {
    return (e.is_read() || e.kind == EventKind::Write || e.kind == EventKind::Fence) && e.order != Order::NonAtomic;
}
bool is_marked(const Event& e) { return e.kind == EventKind::Init || is_atomic(e); }
bool is_nobody(const Event&) { return false; }

constexpr NamedSet kSets[] = {
    // Everywhere
    {"R", kEverywhere, [](const Event& e) { return e.is_read(); }},
    {"W", kEverywhere, [](const Event& e) { return e.is_write(); }},
    {"M", kEverywhere, [](const Event& e) { return e.is_access(); }},
    {"F", kEverywhere, is_kind<EventKind::Fence>},
    {"IW", kEverywhere, is_kind<EventKind::Init>},
    {"I", kEverywhere, is_kind<EventKind::Init>},
    {"RMW", kEverywhere, is_update},
    {"Exp", kEverywhere, [](const Event& e) { return e.is_access() || e.kind == EventKind::Fence; }},
    {"B", kEverywhere, is_nobody},
    {"BCC", kEverywhere, is_nobody},
    {"FAULT", kEverywhere, is_nobody},
    {"Thread-begin", kEverywhere, is_kind<EventKind::Begin>},
    {"Thread-end", kEverywhere, is_kind<EventKind::End>},
    {"Thread-spawn", kEverywhere, is_kind<EventKind::Spawn>},
    {"Thread-join", kEverywhere, is_kind<EventKind::Join>},

    // x86
    {"MFENCE", kEverywhere, is_fence<FenceKind::MFence>},
    {"LFENCE", kEverywhere, is_fence<FenceKind::LFence>},
    {"SFENCE", kEverywhere, is_fence<FenceKind::SFence>},
    {"LKW", on(X86), is_locked},

    // POWER
    {"SYNC", kEverywhere, is_fence<FenceKind::Sync>},
    {"LWSYNC", kEverywhere, is_fence<FenceKind::LwSync>},
    {"EIEIO", kEverywhere, is_fence<FenceKind::EIEIO>},
    {"ISYNC", kEverywhere, is_fence<FenceKind::ISync>},

    // ARM, AArch64
    {"DMB", kEverywhere, is_fence<FenceKind::DmbSy>},
    {"DMB.SY", kEverywhere, is_fence<FenceKind::DmbSy>},
    {"DMB.ISH", kEverywhere, is_fence<FenceKind::DmbSy>},
    {"DMB.OSH", kEverywhere, is_fence<FenceKind::DmbSy>},
    {"DMB.NSH", kEverywhere, is_fence<FenceKind::DmbSy>},
    {"DMB.ST", kEverywhere, is_fence<FenceKind::DmbSt>},
    {"DMB.ISHST", kEverywhere, is_fence<FenceKind::DmbSt>},
    {"DMB.OSHST", kEverywhere, is_fence<FenceKind::DmbSt>},
    {"DMB.NSHST", kEverywhere, is_fence<FenceKind::DmbSt>},
    {"DMB.LD", kEverywhere, is_fence<FenceKind::DmbLd>},
    {"DMB.ISHLD", kEverywhere, is_fence<FenceKind::DmbLd>},
    {"DMB.OSHLD", kEverywhere, is_fence<FenceKind::DmbLd>},
    {"DMB.NSHLD", kEverywhere, is_fence<FenceKind::DmbLd>},
    {"DSB", kEverywhere, is_fence<FenceKind::DsbSy>},
    {"DSB.SY", kEverywhere, is_fence<FenceKind::DsbSy>},
    {"DSB.ISH", kEverywhere, is_fence<FenceKind::DsbSy>},
    {"DSB.OSH", kEverywhere, is_fence<FenceKind::DsbSy>},
    {"DSB.NSH", kEverywhere, is_fence<FenceKind::DsbSy>},
    {"DSB.ST", kEverywhere, is_fence<FenceKind::DsbSt>},
    {"DSB.ISHST", kEverywhere, is_fence<FenceKind::DsbSt>},
    {"DSB.OSHST", kEverywhere, is_fence<FenceKind::DsbSt>},
    {"DSB.NSHST", kEverywhere, is_fence<FenceKind::DsbSt>},
    {"DSB.LD", kEverywhere, is_fence<FenceKind::DsbLd>},
    {"DSB.ISHLD", kEverywhere, is_fence<FenceKind::DsbLd>},
    {"DSB.OSHLD", kEverywhere, is_fence<FenceKind::DsbLd>},
    {"DSB.NSHLD", kEverywhere, is_fence<FenceKind::DsbLd>},
    {"ISB", kEverywhere, is_fence<FenceKind::Isb>},
    // Ldar, Stlr, Ldapr are names of ours: A is something else on C.
    {"A", on(AArch64), reads_with<Order::Acquire, Order::AcqRel, Order::SeqCst>},
    {"Ldar", on(AArch64), reads_with<Order::Acquire, Order::AcqRel, Order::SeqCst>},
    {"L", on(AArch64), writes_with<Order::Release, Order::AcqRel, Order::SeqCst>},
    {"Stlr", on(AArch64), writes_with<Order::Release, Order::AcqRel, Order::SeqCst>},
    {"Q", on(AArch64), reads_with<Order::AcquirePc>},
    {"Ldapr", on(AArch64), reads_with<Order::AcquirePc>},
    {"NoRet", on(AArch64), has_no_return},
    {"X", on(X86), is_locked},
    {"X", on(Power) | on(Arm) | on(AArch64) | on(RiscV), is_exclusive},
    {"AMO", on(AArch64) | on(RiscV), [](const Event& e) { return e.update && !e.exclusive; }},

    // RISC-V
    {"Fence.rw.rw", kEverywhere, is_fence<FenceKind::FenceRwRw>},
    {"Fence.rw.r", kEverywhere, is_fence<FenceKind::FenceRwR>},
    {"Fence.rw.w", kEverywhere, is_fence<FenceKind::FenceRwW>},
    {"Fence.r.rw", kEverywhere, is_fence<FenceKind::FenceRRw>},
    {"Fence.r.r", kEverywhere, is_fence<FenceKind::FenceRR>},
    {"Fence.r.w", kEverywhere, is_fence<FenceKind::FenceRW>},
    {"Fence.w.rw", kEverywhere, is_fence<FenceKind::FenceWRw>},
    {"Fence.w.r", kEverywhere, is_fence<FenceKind::FenceWR>},
    {"Fence.w.w", kEverywhere, is_fence<FenceKind::FenceWW>},
    {"Fence.tso", kEverywhere, is_fence<FenceKind::FenceTso>},
    {"Fence.i", kEverywhere, is_fence<FenceKind::FenceI>},
    {"Acq", on(RiscV), accesses_with<Order::Acquire>},
    {"Rel", on(RiscV), accesses_with<Order::Release>},
    {"AcqRel", on(RiscV), accesses_with<Order::AcqRel, Order::SeqCst>},

    // C
    {"NA", on(C), [](const Event& e) { return e.is_access() && e.order == Order::NonAtomic; }},
    {"RLX", on(C), has_order<Order::Relaxed>},
    {"CON", on(C), is_nobody},
    {"ACQ", on(C), has_order<Order::Acquire>},
    {"REL", on(C), has_order<Order::Release>},
    {"ACQ_REL", on(C), has_order<Order::AcqRel>},
    {"SC", on(C), has_order<Order::SeqCst>},
    {"A", on(C), is_atomic},

    // The Linux kernel
    {"Once", on(Lkmm), accesses_with<Order::Relaxed>},
    {"Acquire", on(Lkmm), reads_with<Order::Acquire>},
    {"Release", on(Lkmm), writes_with<Order::Release>},
    {"Mb", on(Lkmm),
     [](const Event& e) { return is_fence<FenceKind::Mb>(e) || (e.update && e.is_access() && e.order == Order::SeqCst); }},
    {"Rmb", on(Lkmm), is_fence<FenceKind::Rmb>},
    {"Wmb", on(Lkmm), is_fence<FenceKind::Wmb>},
    {"Before-atomic", on(Lkmm), is_fence<FenceKind::BeforeAtomic>},
    {"After-atomic", on(Lkmm), is_fence<FenceKind::AfterAtomic>},
    {"After-spinlock", on(Lkmm), is_fence<FenceKind::AfterSpinlock>},
    {"After-unlock-lock", on(Lkmm), is_fence<FenceKind::AfterUnlockLock>},
    {"Rcu-lock", on(Lkmm), is_fence<FenceKind::RcuLock>},
    {"Rcu-unlock", on(Lkmm), is_fence<FenceKind::RcuUnlock>},
    {"Sync-rcu", on(Lkmm), is_fence<FenceKind::SyncRcu>},
    {"Noreturn", on(Lkmm), has_no_return},
    // Spinlocks: front ends mark their accesses as exclusive, which nothing else of the kernel's is.
    {"LKR", on(Lkmm), [](const Event& e) { return e.exclusive && e.is_read(); }},
    {"LKW", on(Lkmm), [](const Event& e) { return e.exclusive && e.update && e.is_write(); }},
    {"UL", on(Lkmm), [](const Event& e) { return e.exclusive && !e.update && e.is_write(); }},
    {"Plain", on(Lkmm), accesses_with<Order::NonAtomic>},
    {"Marked", on(Lkmm), is_marked},
};

/// Names with several rows, one for each meaning, are found by the first.
constexpr std::size_t kSetCount = std::size(kSets);

struct NamedRelation {
    std::string_view name;
    BaseRelation relation;
};

constexpr std::array kRelations{
    NamedRelation{"po", BaseRelation::Po},
    NamedRelation{"addr", BaseRelation::Addr},
    NamedRelation{"addr-po", BaseRelation::AddrPo},
    NamedRelation{"data", BaseRelation::Data},
    NamedRelation{"ctrl", BaseRelation::Ctrl},
    NamedRelation{"rmw", BaseRelation::Rmw},
    NamedRelation{"lxsx", BaseRelation::Lxsx},
    NamedRelation{"amo", BaseRelation::Amo},
    NamedRelation{"loc", BaseRelation::Loc},
    NamedRelation{"int", BaseRelation::Int},
    NamedRelation{"ext", BaseRelation::Ext},
    NamedRelation{"id", BaseRelation::Id},
    NamedRelation{"init-before", BaseRelation::Init},
    NamedRelation{"thread-create", BaseRelation::Create},
    NamedRelation{"thread-join", BaseRelation::Join},
    NamedRelation{"rf", BaseRelation::Rf},
    NamedRelation{"co", BaseRelation::Co},
    NamedRelation{"fr", BaseRelation::Fr},
};

constexpr std::array<std::string_view, 21> kUnsupported{"FW",
                                                        "iico_data",
                                                        "iico_ctrl",
                                                        "iico_order",
                                                        "same-instr",
                                                        "linearisations",
                                                        "partial_po",
                                                        "tag2scope",
                                                        "scopes",
                                                        "classes",
                                                        "partition",
                                                        "different-values",
                                                        "instr",
                                                        "si",
                                                        "narrower",
                                                        "wider",
                                                        "int-set-partial",
                                                        "intrinsic",
                                                        "pco",
                                                        "same-oa",
                                                        "same-low-order-bits"};

} // namespace

std::optional<SetName> find_set(std::string_view name) {
    const auto* const it = std::ranges::find(kSets, name, &NamedSet::name);
    return it == std::end(kSets) ? std::nullopt : std::optional<SetName>(static_cast<SetName>(it - std::begin(kSets)));
}

std::string_view text_of_set(SetName name) { return kSets[name].name; }

Membership membership(SetName name, Architecture architecture) {
    for (std::size_t k = name; k < kSetCount; ++k) {
        const NamedSet& s = kSets[k];
        if (s.name == kSets[name].name && (s.where & on(architecture)) != 0) {
            return s.contains;
        }
    }
    return is_nobody;
}

bool is_of_only(SetName name, Architecture architecture) {
    unsigned where = 0;
    for (const NamedSet& s : kSets) {
        where |= s.name == kSets[name].name ? s.where : 0;
    }
    return where == on(architecture);
}

std::optional<BaseRelation> find_relation(std::string_view name) {
    const auto* const it = std::ranges::find(kRelations, name, &NamedRelation::name);
    return it == kRelations.end() ? std::nullopt : std::optional(it->relation);
}

std::string_view text_of_relation(BaseRelation relation) {
    return std::ranges::find(kRelations, relation, &NamedRelation::relation)->name;
}

bool is_known_unsupported(std::string_view name) { return std::ranges::find(kUnsupported, name) != kUnsupported.end(); }

} // namespace heddle::cat
