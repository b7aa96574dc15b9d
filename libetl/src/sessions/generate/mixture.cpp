// Kinds of events, mixed: at the times and on the processors of a recipe.
#include "generate/contents.hpp"
#include "generate/machine.hpp"
#include "generate/providers.hpp"
#include "generate/random.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

namespace etl::generate {

namespace {

constexpr double ticks_per_second = Filetime::per_second;

/// Each part has its own random numbers: more events of one kind do not change the others.
enum Stream : std::uint64_t { for_times = 1, for_machine, for_providers };

Random stream(const Recipe& recipe, Stream which) noexcept {
    Random seed(recipe.seed * 0x100000001B3U + which);
    return Random(seed.next());
}

std::uint64_t to_fixed(double value) noexcept {
    return static_cast<std::uint64_t>(value * static_cast<double>(one));
}

std::size_t index(Kind kind) noexcept {
    return static_cast<std::size_t>(kind);
}

class Mixture {
public:
    Mixture(const Recipe& recipe, trace::Writer& writer);

    /// Writes the next event; false if the trace is complete. The writer counts rejected events as
    /// lost.
    bool next();

    std::uint64_t events() const noexcept { return events_; }

    /// In 100 ns.
    std::int64_t elapsed() const noexcept { return elapsed_; }

private:
    /// A record that must come next on its processor.
    struct Sampled {
        std::uint16_t processor;
        std::int64_t time;
    };

    void advance() noexcept;
    std::int64_t raw_time() noexcept;
    std::uint16_t pick_processor() noexcept;
    Kind pick_kind() noexcept;
    void add_rundown(const KernelEvent& event);
    void add(Kind kind);
    void add_kernel(Kind kind, const KernelEvent& event);
    template <typename Record>
    Record of_thread(const KernelEvent& event) const;

    template <typename Record>
    void put(const Record& record) {
        static_cast<void>(writer_->add(record, processor_)); // counted by the writer
    }

    const Recipe* recipe_;
    trace::Writer* writer_;
    Random random_;
    Machine machine_;
    ProviderEvents providers_;
    std::vector<std::uint64_t> busy_; // by processor: its share and those of all before it
    std::uint32_t weights_ = 0;
    bool has_rundown_;
    ByteWriter payload_;
    std::optional<Sampled> sampled_;
    std::uint64_t events_ = 0;
    std::uint64_t gap_;                // mean time between events, in ticks * `one`
    std::int64_t elapsed_ = 0;         // in ticks of 100 ns
    std::uint64_t elapsed_beyond_ = 0; // less than a tick, in ticks * `one`
    std::int64_t base_;
    std::uint16_t processor_ = 0;
    std::int64_t time_ = 0;
};

Mixture::Mixture(const Recipe& recipe, trace::Writer& writer)
    : recipe_(&recipe), writer_(&writer), random_(stream(recipe, for_times)),
      machine_(recipe, stream(recipe, for_machine)),
      providers_(recipe, stream(recipe, for_providers)),
      weights_(std::accumulate(recipe.mix.begin(), recipe.mix.end(), std::uint32_t{0})),
      has_rundown_(recipe.mix[index(Kind::system)] > 0),
      gap_(to_fixed(ticks_per_second / recipe.rate)), base_(recording_of(recipe).reference_time) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 1; i <= recipe.processors; ++i) {
        sum += inverse_exp2_fixed(to_fixed(recipe.skew) * log2_fixed(i) >> fraction_bits);
        busy_.push_back(sum);
    }
}

bool Mixture::next() {
    if (is_over(*recipe_, events_, elapsed_)) {
        return false;
    }
    KernelEvent event;
    payload_.clear();
    if (has_rundown_ && machine_.next_of_rundown(event, payload_)) {
        add_rundown(event);
        return true;
    }
    if (sampled_) {
        processor_ = sampled_->processor;
        time_ = sampled_->time + 1;
        event = machine_.stack(processor_, sampled_->time, payload_);
        sampled_.reset();
        add_kernel(Kind::perfinfo, event);
        return true;
    }
    advance();
    if (is_over(*recipe_, events_, elapsed_)) {
        return false;
    }
    processor_ = pick_processor();
    time_ = raw_time();
    add(pick_kind());
    return true;
}

void Mixture::advance() noexcept {
    std::uint64_t step = gap_;
    if (recipe_->spacing == Recipe::Spacing::exponential) {
        const std::uint64_t factor = random_.exponential();
        step = (gap_ >> fraction_bits) * factor + ((gap_ & (one - 1)) * factor >> fraction_bits);
    }
    step += elapsed_beyond_;
    elapsed_ += static_cast<std::int64_t>(step >> fraction_bits);
    elapsed_beyond_ = step & (one - 1);
}

std::int64_t Mixture::raw_time() noexcept {
    if (recipe_->out_of_order <= 0 || !random_.chance(recipe_->out_of_order)) {
        return base_ + elapsed_;
    }
    // As if a program was interrupted between taking the time and reserving the buffer: a few
    // events late.
    const auto max = static_cast<std::int64_t>(20 * ticks_per_second / recipe_->rate) + 1;
    return base_ + elapsed_ - random_.between<std::int64_t>(0, std::min(elapsed_, max));
}

std::uint16_t Mixture::pick_processor() noexcept {
    const auto found = std::ranges::upper_bound(busy_, random_.below(busy_.back()));
    return static_cast<std::uint16_t>(found - busy_.begin());
}

Kind Mixture::pick_kind() noexcept {
    std::uint64_t place = random_.below(weights_);
    std::size_t kind = 0;
    while (place >= recipe_->mix[kind]) {
        place -= recipe_->mix[kind++];
    }
    return static_cast<Kind>(kind);
}

void Mixture::add_rundown(const KernelEvent& event) {
    processor_ = 0;
    time_ = base_;
    add_kernel(Kind::system, event);
}

void Mixture::add(Kind kind) {
    const Thread& thread = machine_.running(processor_);
    const provider::EventContext stamp{time_, thread.process_id, thread.thread_id, {}};
    ++events_;
    switch (kind) {
    case Kind::tracelogging:
        return put(providers_.tracelogging(stamp));
    case Kind::event:
        return put(providers_.of_manifest(stamp));
    case Kind::string:
        return put(providers_.string(stamp));
    case Kind::full:
        return put(providers_.full(stamp));
    case Kind::instance:
        return put(providers_.instance(stamp));
    case Kind::message:
        return put(providers_.message(stamp));
    case Kind::timed:
        return put(providers_.timed(stamp));
    case Kind::wnode:
        return put(providers_.wnode(stamp));
    case Kind::system:
    case Kind::compact:
    case Kind::perfinfo:
    case Kind::stack:
        break;
    }
    --events_;
    const KernelEvent event = kind == Kind::system    ? machine_.system(payload_)
                              : kind == Kind::compact ? machine_.disk(processor_, payload_)
                              : kind == Kind::stack
                                  ? machine_.sample(processor_, payload_)
                                  : machine_.perfinfo(processor_, time_, payload_);
    add_kernel(kind, event);
    if (kind == Kind::stack) {
        sampled_ = Sampled{processor_, time_};
    }
}

template <typename Record>
Record Mixture::of_thread(const KernelEvent& event) const {
    const Thread& thread = machine_.running(processor_);
    return {.width = recipe_->width,
            .version = event.version,
            .hook_id = event.hook_id,
            .process_id = thread.process_id,
            .thread_id = thread.thread_id,
            .time = time_,
            .payload = payload_.view()};
}

void Mixture::add_kernel(Kind kind, const KernelEvent& event) {
    ++events_;
    if (kind == Kind::system) {
        put(of_thread<format::SystemRecord>(event));
    } else if (kind == Kind::compact) {
        put(of_thread<format::CompactRecord>(event));
    } else {
        put(format::PerfinfoRecord{.width = recipe_->width,
                                   .version = event.version,
                                   .hook_id = event.hook_id,
                                   .time = time_,
                                   .payload = payload_.view()});
    }
}

} // namespace

Report write_mixture(const Recipe& recipe, trace::Writer& writer, const Progress& progress) {
    Mixture mixture(recipe, writer);
    add_all(mixture, recipe, progress);
    return {.events = mixture.events()};
}

} // namespace etl::generate
