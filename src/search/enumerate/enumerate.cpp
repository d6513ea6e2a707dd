#include "search/enumerate/enumerate.hpp"

#include "search/enumerate/facts.hpp"
#include "search/enumerate/location_choices.hpp"

#include <algorithm>
#include <unordered_map>

namespace heddle {
namespace {

/// A location of the present combination of shapes.
struct Site {
    const Pool* pool = nullptr;
    std::uint32_t location = 0;                    ///< its number in Facts
    std::vector<std::size_t> reads;                ///< events, as LocationChoices numbers them
    std::vector<std::size_t> writes;               ///< likewise; [0] is its Init
    std::vector<std::size_t>* coherence = nullptr; ///< in the execution
    const LocationChoices* choices = nullptr;      ///< of the present combination of paths
    std::uint32_t choice = 0;                      ///< of sources, the present one
    std::size_t last_thread = 0;                   ///< of the combination: once its path is chosen, the choices are known
};

class Enumeration {
  public:
    Enumeration(Paths paths, ExecutionJudge& judge, const EnumerateOptions& options, const OnExecution& on_execution)
        : paths_(std::move(paths)), facts_(paths_), judge_(judge), coherent_(judge.implies_coherence()), options_(options),
          on_execution_(on_execution), observed_(options.observed.size()) {}

    EnumerateResult run() {
        result_.cut = paths_.cut;
        for (std::uint32_t t = 0; t < paths_.first_threads; ++t) {
            threads_.push_back(t);
        }
        shapes_.reserve(paths_.threads.size()); // as many threads as a combination can have
        choose_shapes(0, facts_.nothing(), facts_.initial());
        return std::move(result_);
    }

  private:
    [[nodiscard]] const Shape& shape(std::size_t i) const { return paths_.threads[threads_[i]].shapes[shapes_[i]]; }
    [[nodiscard]] const Path& path(std::size_t i) const { return paths_.threads[threads_[i]].paths[chosen_[i]]; }
    [[nodiscard]] bool stops() {
        constexpr std::uint64_t kAskEvery = 4096;
        if (!result_.unsupported && options_.paths.gives_up && ++asked_ % kAskEvery == 0 && options_.paths.gives_up()) {
            result_.unsupported = kStopped;
        }
        return result_.unsupported.has_value();
    }

    /// A shape for thread i of the combination and those after it. `needed`: what is read on every path of the shapes so far; `provided`: what
    /// any of their paths writes.
    void choose_shapes(std::size_t i, const FactSet& needed, const FactSet& provided);
    /// All threads have their shapes: their events are the execution's.
    void with_shapes();
    void add_inits();
    void add_thread(std::size_t i);
    /// A path of its shape for thread i and those after it. `needed` and `provided` are rows of depth i.
    void choose_paths(std::size_t i);
    /// Looks up the choices of the locations that no thread after i accesses; false when one has none.
    bool close_sites(std::size_t i);
    void choose_sources(std::size_t site);
    void choose_coherence(std::size_t site);
    void found();
    [[nodiscard]] std::uint64_t final_value(const Observed& o) const;

    const Paths paths_;
    const Facts facts_;
    ExecutionJudge& judge_;
    const bool coherent_;
    const EnumerateOptions& options_;
    const OnExecution& on_execution_;
    EnumerateResult result_;
    std::uint64_t asked_ = 0;
    /// By the numbers of the sequences of accesses of each thread.
    std::unordered_map<std::u32string, LocationChoices> choices_;
    std::u32string key_; ///< scratch

    // The combination.
    std::vector<std::uint32_t> threads_;            ///< into paths_.threads; grows with what shapes spawn
    std::vector<std::uint32_t> shapes_;             ///< of each thread, into ThreadPaths::shapes
    std::vector<std::uint32_t> chosen_;             ///< of each thread, into ThreadPaths::paths
    std::vector<FactSet> needed_, provided_, rest_; ///< by depth; rest: what the threads from here on can provide
    Execution x_;
    std::vector<std::size_t> first_event_; ///< of each thread of the combination
    std::vector<std::size_t> owner_;       ///< of each event that is not an Init: the position of its thread in the combination
    std::vector<Site> sites_;
    std::vector<std::uint32_t> site_of_; ///< by number of the location; kNone: not accessed
    std::vector<std::uint64_t> observed_;
    static constexpr std::uint32_t kNone = ~std::uint32_t{0};
};

void Enumeration::choose_shapes(std::size_t i, const FactSet& needed, const FactSet& provided) {
    if (stops()) {
        return;
    }
    if (i == threads_.size()) {
        return with_shapes();
    }
    const ThreadPaths& thread = paths_.threads[threads_[i]];
    for (std::uint32_t s = 0; s < thread.shapes.size(); ++s) {
        const FactSet now_needed = unite(needed, facts_.always_needed(threads_[i], s));
        const FactSet now_provided = unite(provided, facts_.provided_by_shape(threads_[i], s));
        const std::size_t before = threads_.size();
        threads_.insert(threads_.end(), thread.shapes[s].starts.begin(), thread.shapes[s].starts.end());
        FactSet possible = now_provided;
        for (std::size_t t = i + 1; t < threads_.size(); ++t) {
            add_all(possible, facts_.provided_from(threads_[t]));
        }
        if (is_subset(now_needed, possible)) {
            shapes_.push_back(s);
            choose_shapes(i + 1, now_needed, now_provided);
            shapes_.pop_back();
        }
        threads_.resize(before);
    }
}

void Enumeration::with_shapes() {
    x_ = {};
    owner_.clear();
    first_event_.clear();
    add_inits();
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        add_thread(i);
    }
    for (Site& site : sites_) {
        site.coherence = &x_.coherence[x_.events[site.writes[0]].location];
        *site.coherence = site.writes;
    }
    if (!judge_.begin(x_)) {
        return;
    }
    const std::size_t n = threads_.size();
    needed_.assign(n + 1, facts_.nothing());
    provided_.assign(n + 1, facts_.initial());
    rest_.assign(n + 1, facts_.nothing());
    for (std::size_t i = n; i-- > 0;) {
        rest_[i] = unite(rest_[i + 1], facts_.provided_by_shape(threads_[i], shapes_[i]));
    }
    chosen_.assign(n, 0);
    choose_paths(0);
}

void Enumeration::add_inits() {
    sites_.clear();
    site_of_.assign(paths_.locations.size(), kNone);
    for (std::size_t i = 0; i < threads_.size(); ++i) {
        for (const Event& e : shape(i).events) {
            if (e.is_access()) {
                site_of_[facts_.location(e.location)] = 0;
            }
        }
    }
    std::uint32_t number = 0;
    for (const auto& [address, pool] : paths_.locations) {
        if (site_of_[number] != kNone) {
            site_of_[number] = static_cast<std::uint32_t>(sites_.size());
            sites_.push_back({.pool = &pool, .location = number, .reads = {}, .writes = {x_.events.size()}});
            x_.events.push_back({.kind = EventKind::Init, .location = address});
            owner_.push_back(kNone);
        }
        ++number;
    }
}

void Enumeration::add_thread(std::size_t i) {
    const Shape& s = shape(i);
    const std::size_t first = x_.events.size();
    first_event_.push_back(first);
    for (Event e : s.events) {
        if (e.update_read) {
            *e.update_read += first;
        }
        if (e.is_access()) {
            Site& site = sites_[site_of_[facts_.location(e.location)]];
            (e.is_read() ? site.reads : site.writes).push_back(x_.events.size());
            site.last_thread = i;
        }
        x_.events.push_back(e);
        owner_.push_back(i);
    }
    const auto add = [first](DependencyLists::List& to, const DependencyLists::List& from) {
        for (const auto& [a, b] : from) {
            to.emplace_back(a + first, b + first);
        }
    };
    add(x_.addr, s.addr);
    add(x_.data, s.data);
    add(x_.ctrl, s.ctrl);
    add(x_.addr_po, s.addr_po);
}

void Enumeration::choose_paths(std::size_t i) {
    if (i == threads_.size()) {
        return choose_sources(0);
    }
    for (const std::uint32_t p : shape(i).paths) {
        if (stops()) {
            return;
        }
        needed_[i + 1] = needed_[i];
        provided_[i + 1] = provided_[i];
        add_all(needed_[i + 1], facts_.needed(threads_[i], p));
        add_all(provided_[i + 1], facts_.provided(threads_[i], p));
        if (!is_subset(needed_[i + 1], provided_[i + 1], rest_[i + 1])) {
            continue;
        }
        chosen_[i] = p;
        if (close_sites(i)) {
            choose_paths(i + 1);
        }
    }
}

bool Enumeration::close_sites(std::size_t i) {
    for (Site& site : sites_) {
        if (site.last_thread != i) {
            continue;
        }
        key_.clear();
        for (std::size_t t = 0; t <= i; ++t) {
            if (const std::uint32_t accesses = facts_.accesses(threads_[t], chosen_[t], site.location)) {
                key_ += static_cast<char32_t>(accesses);
            }
        }
        auto it = choices_.find(key_);
        if (it == choices_.end()) {
            std::vector<const LocationAccesses*> threads;
            for (const char32_t accesses : key_) {
                threads.push_back(&facts_.sequence(accesses));
            }
            it = choices_.emplace(key_, choices_of(threads, coherent_, options_.paths.gives_up)).first;
        }
        if (!it->second.complete) {
            result_.unsupported = kStopped;
        }
        if (it->second.size() == 0) {
            return false;
        }
        site.choices = &it->second;
    }
    return true;
}

void Enumeration::choose_sources(std::size_t at) {
    if (at == sites_.size()) {
        if (!stops() && judge_.choose_sources()) {
            choose_coherence(0);
        }
        return;
    }
    Site& site = sites_[at];
    for (site.choice = 0; site.choice < site.choices->size() && !result_.unsupported; ++site.choice) {
        const std::uint16_t* source = site.choices->source(site.choice);
        for (std::size_t r = 0; r < site.reads.size(); ++r) {
            x_.events[site.reads[r]].source = site.writes[source[r]];
        }
        choose_sources(at + 1);
    }
}

void Enumeration::choose_coherence(std::size_t at) {
    if (at == sites_.size()) {
        ++result_.candidates;
        if (!stops() && judge_.choose_coherence()) {
            found();
        }
        return;
    }
    const Site& site = sites_[at];
    const std::uint32_t end = site.choices->first_order[site.choice + 1];
    for (std::uint32_t k = site.choices->first_order[site.choice]; k < end && !result_.unsupported; ++k) {
        const std::uint16_t* order = site.choices->order(k);
        for (std::size_t w = 1; w < site.writes.size(); ++w) {
            (*site.coherence)[w] = site.writes[order[w]];
        }
        choose_coherence(at + 1);
    }
}

void Enumeration::found() {
    ++result_.executions;
    for (std::size_t k = 0; k < observed_.size(); ++k) {
        observed_[k] = final_value(options_.observed[k]) & mask_of_bits(options_.observed[k].size * 8u);
    }
    const Trap* trap = nullptr;
    for (std::size_t i = 0; i < threads_.size() && !trap; ++i) {
        trap = path(i).trap.get();
    }
    on_execution_({.execution = x_, .observed = observed_, .judge = judge_, .trap = trap});
}

std::uint64_t Enumeration::final_value(const Observed& o) const {
    for (std::size_t i = 0; i < threads_.size(); ++i) { // a register has one thread that writes it
        const auto& registers = path(i).registers;
        const auto last = std::find_if(registers.rbegin(), registers.rend(), [&](const auto& r) { return r.first == o.address; });
        if (last != registers.rend()) {
            return last->second.lo;
        }
    }
    const auto location = paths_.locations.find(o.address);
    if (location == paths_.locations.end() || site_of_[facts_.location(o.address)] == kNone) {
        return paths_.initial.load(o.address, o.size).lo;
    }
    const Site& site = sites_[site_of_[facts_.location(o.address)]];
    const std::size_t last = site.coherence->back();
    const std::size_t i = owner_[last];
    return site.pool->values[i == kNone ? 0 : path(i).values[last - first_event_[i]]].lo;
}

} // namespace

EnumerateResult enumerate(const Program& program, ThreadNames& names, ExecutionJudge& judge, const EnumerateOptions& options,
                          const OnExecution& on_execution) {
    Paths paths = find_paths(program, names, options.paths);
    if (paths.unsupported) {
        return {.unsupported = std::move(paths.unsupported)};
    }
    return Enumeration(std::move(paths), judge, options, on_execution).run();
}

} // namespace heddle
