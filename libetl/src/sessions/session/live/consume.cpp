#include "session/consume.hpp"

#include "flow/context.hpp"
#include "flow/merge_order.hpp"
#include "session/live/live_reading.hpp"

#include <algorithm>
#include <atomic>
#include <deque>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace etl::session {

namespace {

constexpr Filetime latest{std::numeric_limits<std::int64_t>::max()};

bool is_header(const flow::Event& event) noexcept {
    return event.buffer->number == 0 && flow::is_logfile_header(event);
}

bool ends_its_buffer(const flow::Event& event) noexcept {
    return event.offset() + format::padded(event.size) >= event.buffer->bytes.size();
}

} // namespace

struct Consumption::State {
    /// The buffer of a processor that events are being given of.
    struct BufferInUse {
        std::uint64_t number = 0;
        std::uint32_t filled = 0;
        bool is_told = true;
    };

    struct Input {
        flow::Source* source = nullptr;
        LiveReading* live = nullptr; // null: it does not wait
        flow::Run rest{};
        Filetime next{}; // time of rest's first event; without a rest: nothing older comes
        bool has_ended = false;
        const flow::TraceInfo* trace = nullptr;
        std::map<std::uint16_t, BufferInUse> in_use{}; // by processor
        std::uint64_t buffers_read = 0;
    };

    explicit State(ConsumeOptions how) : options(std::move(how)) {}

    void refill(Input& input);
    static std::int64_t key_of(const Input& input, const flow::Event& event) noexcept;
    static Filetime next_of(const Input& input) noexcept;
    void end(Input& input);
    bool has_ended() const noexcept;
    void put_in_order();

    bool may_give() const noexcept { return !order.empty() && !order.first().what->rest.empty(); }

    flow::Run run_of(Input& input);
    flow::Run in_window(flow::Run run) const;

    bool is_behind_window(Filetime time) const noexcept { return options.to && time > *options.to; }

    void use(Input& input, flow::Run run);
    void tell(Input& input, BufferInUse& buffer);
    void tell_of_last();

    ConsumeOptions options;
    std::deque<Input> inputs;       // stay where they are
    flow::MergeOrder<Input*> order; // of those that have not ended, by Input::next
    std::shared_ptr<Bell> bell = std::make_shared<Bell>();
    std::atomic<bool> is_cancelled{false};
    Input* given = nullptr;              // that the last run is of
    BufferInUse* ended_buffer = nullptr; // of that run, if it held the last events of it
    const Error* error = nullptr;
};

/// What its last run pointed into may go now: it was given.
void Consumption::State::refill(Input& input) {
    if (input.has_ended || !input.rest.empty()) {
        return;
    }
    if (input.live == nullptr) {
        input.rest = input.source->next_run();
    } else if (const auto run = input.live->poll()) {
        input.rest = *run;
    } else {
        input.next = input.live->info().clock.to_filetime(input.live->floor());
        if (is_behind_window(input.next)) {
            end(input);
        }
        return;
    }
    if (input.rest.empty()) {
        end(input);
        return;
    }
    input.next = next_of(input);
    if (is_behind_window(input.next) && !is_header(input.rest.front())) {
        end(input);
    }
}

/// Where it stands among others, of the last run: a stamp of a caller's own may lie in the future,
/// and what comes behind it does not.
std::int64_t Consumption::State::key_of(const Input& input, const flow::Event& event) noexcept {
    return input.live != nullptr ? input.live->key_of(event) : event.raw_time;
}

Filetime Consumption::State::next_of(const Input& input) noexcept {
    const flow::Event& next = input.rest.front();
    return next.trace().clock.to_filetime(key_of(input, next));
}

void Consumption::State::end(Input& input) {
    input.has_ended = true;
    input.rest = {};
    if (error == nullptr) {
        error = input.source->error();
    }
    for (auto& [processor, buffer] : input.in_use) {
        tell(input, buffer);
    }
}

bool Consumption::State::has_ended() const noexcept {
    return is_cancelled || std::ranges::all_of(inputs, &Input::has_ended);
}

/// Of equal times the input that was added first comes first, and those that wait last: what is
/// here may be given.
void Consumption::State::put_in_order() {
    order.clear();
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (!inputs[i].has_ended) {
            const std::size_t rank = inputs[i].rest.empty() ? inputs.size() + i : i;
            order.add({inputs[i].next.ticks, rank, &inputs[i]});
        }
    }
}

/// As many events of it, the first in order, as come before those of the others.
flow::Run Consumption::State::run_of(Input& input) {
    auto end = input.rest.end();
    if (const Filetime limit{order.limit()}; is_header(input.rest.front())) {
        end = input.rest.begin() + 1; // no window holds for it
    } else if (limit < latest) {
        const std::int64_t bound = input.rest.front().trace().clock.to_raw({limit.ticks + 1});
        end = std::ranges::find_if(input.rest.subspan(1),
                                   [&](const flow::Event& e) { return key_of(input, e) >= bound; });
    }
    const flow::Run run(input.rest.begin(), end);
    input.rest = flow::Run(end, input.rest.end());
    if (!input.rest.empty()) {
        input.next = next_of(input);
    }
    return run;
}

flow::Run Consumption::State::in_window(flow::Run run) const {
    if (is_header(run.front())) {
        return run;
    }
    const flow::Clock& clock = run.front().trace().clock;
    auto begin = run.begin();
    auto end = run.end();
    if (options.from) {
        const std::int64_t from = clock.to_raw(*options.from);
        begin = std::ranges::find_if(run, [&](const auto& e) { return e.raw_time >= from; });
    }
    if (options.to && *options.to < latest) {
        const std::int64_t behind = clock.to_raw({options.to->ticks + 1});
        end = std::find_if(begin, run.end(), [&](const auto& e) { return e.raw_time >= behind; });
    }
    return {begin, end};
}

/// A buffer ends with its last record, or where another of its processor begins: events need not
/// reach to its end.
void Consumption::State::use(Input& input, flow::Run run) {
    const flow::BufferContext& context = *run.front().buffer;
    const bool is_made_up = input.live != nullptr && context.number == 0;
    if (!options.on_buffer || is_made_up) {
        return;
    }
    input.trace = context.trace;
    BufferInUse& buffer = input.in_use[context.processor];
    if (buffer.is_told || buffer.number != context.number) {
        tell(input, buffer);
        buffer = {context.number, static_cast<std::uint32_t>(context.bytes.size()), false};
    }
    ended_buffer = ends_its_buffer(run.back()) ? &buffer : nullptr;
}

void Consumption::State::tell(Input& input, BufferInUse& buffer) {
    if (buffer.is_told || is_cancelled) {
        return;
    }
    buffer.is_told = true;
    ++input.buffers_read;
    if (!options.on_buffer({.trace = input.trace,
                            .buffers_read = input.buffers_read,
                            .buffer_size = input.trace->header.buffer_size,
                            .filled = buffer.filled})) {
        is_cancelled = true;
    }
}

void Consumption::State::tell_of_last() {
    if (ended_buffer != nullptr) {
        tell(*given, *std::exchange(ended_buffer, nullptr));
    }
}

Consumption::Consumption(ConsumeOptions options)
    : state_(std::make_unique<State>(std::move(options))) {}

Consumption::~Consumption() = default;

void Consumption::add(flow::Source& source) {
    state_->inputs.push_back({.source = &source});
}

void Consumption::add(LiveSource& source) {
    source.reading_->hear(state_->bell);
    state_->inputs.push_back({.source = &source, .live = source.reading_.get()});
}

flow::Run Consumption::next_run() {
    State& s = *state_;
    s.tell_of_last();
    while (!s.has_ended()) {
        const std::uint32_t rings = s.bell->rings();
        for (State::Input& input : s.inputs) {
            s.refill(input);
        }
        s.put_in_order();
        if (!s.may_give()) {
            if (!s.has_ended()) {
                s.bell->wait(rings);
            }
            continue;
        }
        State::Input& input = *s.order.first().what;
        s.given = &input;
        const flow::Run all = s.run_of(input);
        s.use(input, all);
        if (s.is_cancelled) {
            break;
        }
        if (const flow::Run run = s.in_window(all); !run.empty()) {
            return run;
        }
        s.tell_of_last();
    }
    return {};
}

flow::Pin Consumption::pin() const {
    return state_->given != nullptr ? state_->given->source->pin() : nullptr;
}

const Error* Consumption::error() const noexcept {
    return state_->error;
}

void Consumption::cancel() noexcept {
    state_->is_cancelled = true;
    state_->bell->ring();
}

bool Consumption::is_canceled() const noexcept {
    return state_->is_cancelled;
}

} // namespace etl::session
