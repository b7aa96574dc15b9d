#include "session/logging/logger.hpp"

#include "host/process.hpp"
#include "session/logging/log_output.hpp"
#include "session/logging/log_path.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace etl::session {

// Logger::State: what the logger thread works on, and what those who control it leave for it.
// docs/session-internals.md#logger

inline constexpr const char* ended_by_itself = "the session has ended on its own";

struct Logger::State {
    using Clock = std::chrono::steady_clock;

    State(LoggerPlan chosen, Buffers& session_buffers, LiveQueue& queue);

    // Controllers.

    /// What a controller wants done; on its stack until it is.
    struct Request {
        enum class What : std::uint8_t {
            flush,
            switch_to_next_file,
            switch_to,
            switch_to_real_time,
            real_time_on,
            real_time_off,
            wake,
            stop
        };

        What what = What::flush;
        std::string file;
        // Guarded by mutex.
        Request* next = nullptr; // behind it
        Outcome<void> outcome{};
        bool is_done = false;
    };

    Outcome<void> open();
    Outcome<void> start_thread();
    Outcome<void> ask(Request::What what, const std::string& file = {});
    Outcome<void> write_ring(const std::string& file);
    LoggerCounts counts_now() const;

    // The logger thread; of a ring, the caller.

    void run();
    void pass();
    void wait_for_stop();
    bool write_full(std::uint32_t max);
    void write_rest();
    bool write(const ClosedBuffer& closed, std::uint16_t flags);
    bool deliver(const ClosedBuffer& closed, std::int64_t sequence);
    void tell_refusal();
    std::uint16_t tell_lost_events();
    Outcome<void> flush_round();
    void serve();
    Outcome<void> serve(const Request& request);
    Outcome<void> stop_now();
    Outcome<void> judge();
    void turn_real_time(bool on);
    void publish();
    std::optional<std::int64_t> until_due() const;

    LoggerPlan plan;
    Buffers& buffers;
    LiveQueue& live;
    LogOutput output;
    const bool is_ring;

    std::atomic<std::uint32_t> threshold; // full buffers that are waited for
    std::atomic<bool> is_real_time;
    std::atomic<std::uint32_t> flush_timer; // ms; 0: as real time has it

    mutable std::mutex mutex;
    std::condition_variable done;  // a request is
    std::condition_variable asked; // there is a request
    // Guarded by it.
    Request* first_request = nullptr;
    Request* last_request = nullptr;
    std::optional<Status> ended; // the session cannot go on: nobody waits any more
    LoggerCounts counts;

    // The logger thread's own.
    std::int64_t next_sequence = 1;
    std::uint64_t lost_events_told = 0;
    std::uint64_t delivered = 0; // buffers that are in no file, but with consumers
    std::uint64_t real_time_lost = 0;
    std::uint64_t refusals_told = 0;
    bool was_delivery_lost = false;
    bool has_stopped = false;
    bool was_end_told = false;
    std::uint32_t id_of_thread = 0;
    Clock::time_point last_round;

    std::thread thread;
};

namespace {

constexpr std::uint32_t ms_per_second = 1000;

std::uint32_t timer_of(const SessionOptions& options) noexcept {
    const bool in_ms = (options.mode & mode::use_ms_flush_timer) != 0;
    const std::uint64_t ms = std::uint64_t{options.flush_timer} * (in_ms ? 1U : ms_per_second);
    constexpr std::uint64_t max_size = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(ms, max_size));
}

/// Half of what can be full at once: each stripe holds one that is open.
std::uint32_t threshold_of(std::uint32_t wanted, std::uint32_t maximum,
                           std::uint16_t stripes) noexcept {
    const std::uint32_t can_be_full = maximum > stripes ? maximum - stripes : 0;
    return std::clamp(wanted, 1U, std::max(1U, can_be_full / 2));
}

} // namespace

Logger::State::State(LoggerPlan chosen, Buffers& session_buffers, LiveQueue& queue)
    : plan(std::move(chosen)), buffers(session_buffers), live(queue),
      output({.options = plan.options,
              .recording = plan.recording,
              .session_id = plan.session_id,
              .observer = plan.observer,
              .begun =
                  [&session_buffers](const std::string& path, Bytes header,
                                     const format::LiveLosses& included) {
                      session_buffers.tell_recovery(path, header, included);
                  }}),
      is_ring((plan.options.mode & mode::buffering) != 0),
      threshold(threshold_of(plan.options.flush_threshold, plan.options.maximum_buffers,
                             session_buffers.stripes())),
      is_real_time((plan.options.mode & mode::real_time) != 0), flush_timer(timer_of(plan.options)),
      last_round(Clock::now()) {}

Outcome<void> Logger::State::open() {
    if (is_ring || plan.options.file.empty()) {
        return {};
    }
    if (auto begun = output.begin(plan.options.file, buffers.now()); !begun) {
        return begun;
    }
    next_sequence = output.first_sequence();
    publish();
    return {};
}

Outcome<void> Logger::State::start_thread() {
    if (is_ring) {
        return {};
    }
    try {
        thread = std::thread([this] { run(); });
    } catch (const std::system_error& error) {
        return refuse(Status::no_system_resources, "cannot create the logger thread",
                      error.code().value());
    }
    // It runs when this is done; one that has ended already says so to the runtime.
    static_cast<void>(ask(Request::What::wake));
    return {};
}

/// Leaves a request and waits until it is done.
Outcome<void> Logger::State::ask(Request::What what, const std::string& file) {
    Request request{.what = what, .file = file};
    std::unique_lock lock(mutex);
    if (ended && what != Request::What::stop) {
        return refuse(*ended, ended_by_itself);
    }
    (last_request != nullptr ? last_request->next : first_request) = &request;
    last_request = &request;
    asked.notify_one();
    lock.unlock();
    buffers.wake();
    lock.lock();
    done.wait(lock, [&] { return request.is_done; });
    return request.outcome;
}

LoggerCounts Logger::State::counts_now() const {
    const std::lock_guard lock(mutex);
    return counts;
}

Outcome<void> Logger::State::write_ring(const std::string& file) {
    tell_lost_events();
    if (auto begun = output.begin(file, buffers.now()); !begun) {
        return begun;
    }
    next_sequence = 1;
    const std::uint64_t lost = output.buffers_lost();
    buffers.for_each_in_ring([&](const ClosedBuffer& closed) {
        output.write({.memory = closed.memory,
                      .used = closed.used,
                      .processor = closed.processor,
                      .sequence = next_sequence++,
                      .time_stamp = closed.closed_at,
                      .newest_time = closed.closed_at});
    });
    const bool is_all_written = output.buffers_lost() == lost;
    auto finished = output.finish(buffers.now());
    publish();
    if (finished && !is_all_written && output.latest_failure()) {
        return std::unexpected(*output.latest_failure());
    }
    return finished;
}

Logger::Logger(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}

Logger::~Logger() {
    if (state_) {
        [[maybe_unused]] const auto stopped = stop();
    }
}

Outcome<std::unique_ptr<Logger>> Logger::start(LoggerPlan plan, Buffers& buffers, LiveQueue& live) {
    std::unique_ptr<Logger> logger(
        new Logger(std::make_unique<State>(std::move(plan), buffers, live)));
    if (auto opened = logger->state_->open(); !opened) {
        return std::unexpected(opened.error());
    }
    if (auto started = logger->state_->start_thread(); !started) {
        return std::unexpected(started.error());
    }
    return logger;
}

Outcome<void> Logger::flush() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::bad_pathname, "an in-memory session is flushed to a new file");
    }
    return state_->ask(State::Request::What::flush);
}

Outcome<void> Logger::snapshot(const std::string& file) {
    if (!state_ || !state_->is_ring) {
        return refuse(Status::invalid_parameter, "only an in-memory session has snapshots");
    }
    return state_->write_ring(file);
}

Outcome<void> Logger::switch_to_next_file() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "an in-memory session has no files");
    }
    return state_->ask(State::Request::What::switch_to_next_file);
}

Outcome<void> Logger::switch_to(const std::string& file) {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "an in-memory session has no files");
    }
    return state_->ask(State::Request::What::switch_to, file);
}

Outcome<void> Logger::switch_to_real_time() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "an in-memory session has no files");
    }
    return state_->ask(State::Request::What::switch_to_real_time);
}

void Logger::set_flush_timer(std::uint32_t milliseconds) {
    if (state_ && !state_->is_ring) {
        state_->flush_timer.store(milliseconds);
        state_->buffers.wake();
    }
}

void Logger::set_real_time(bool is_real_time) {
    if (!state_ || state_->is_ring) {
        return;
    }
    using What = State::Request::What;
    const auto turned = state_->ask(is_real_time ? What::real_time_on : What::real_time_off);
    if (!turned) { // the session has ended by itself
        state_->turn_real_time(is_real_time);
    }
}

void Logger::set_maximum_buffers(std::uint32_t maximum) noexcept {
    if (state_ && !state_->is_ring) {
        state_->threshold.store(
            threshold_of(state_->plan.options.flush_threshold, maximum, state_->buffers.stripes()));
        state_->buffers.wake();
    }
}

Outcome<void> Logger::stop() {
    if (!state_) {
        return {};
    }
    if (state_->is_ring) {
        state_->live.end();
        return {};
    }
    if (!state_->thread.joinable()) {
        return {};
    }
    auto stopped = state_->ask(State::Request::What::stop);
    state_->thread.join();
    return stopped;
}

LoggerCounts Logger::counts() const {
    return state_ ? state_->counts_now() : LoggerCounts{};
}

void Logger::forget_in_child() noexcept {
    // Its thread is not here, and may have been in the middle of anything.
    [[maybe_unused]] State* const nobodys = state_.release();
}

// The logger thread. What costs memory may fail: a buffer is lost then, and the thread goes on.

namespace {

std::uint32_t as_count(std::uint64_t count) noexcept {
    constexpr std::uint64_t max = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(count, max));
}

template <typename Act>
Outcome<void> with_memory(Act act) {
    try {
        return act();
    } catch (const std::bad_alloc&) {
        return refuse(Status::not_enough_memory, "memory for the logger");
    }
}

} // namespace

std::optional<std::int64_t> Logger::State::until_due() const {
    const std::uint32_t chosen = flush_timer.load();
    if (chosen == 0 && !is_real_time.load()) {
        return std::nullopt;
    }
    const auto period = std::chrono::milliseconds(chosen != 0 ? chosen : plan.real_time_timer);
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(last_round + period - Clock::now());
    return std::max<std::int64_t>(left.count(), 0);
}

void Logger::State::run() {
    id_of_thread = host::thread_id();
    buffers.set_logger_thread(id_of_thread);
    publish();
    while (!has_stopped) {
        if (buffers.is_closed()) {
            wait_for_stop();
        } else {
            buffers.wait(threshold, until_due());
        }
        pass();
    }
}

/// Nothing comes any more but the request to stop, which writes what is left: so that the last
/// buffer can say that it is the last.
void Logger::State::wait_for_stop() {
    std::unique_lock lock(mutex);
    asked.wait(lock, [&] { return first_request != nullptr; });
}

/// What there is to do when the thread wakes, whatever woke it.
void Logger::State::pass() {
    write_full(buffers.number_of_buffers());
    if (until_due() == 0 && !buffers.is_closed()) {
        // Whoever lost something by it has been told, and it is counted.
        [[maybe_unused]] const auto flushed = with_memory([&] { return flush_round(); });
    }
    tell_refusal();
    publish();
    serve();
    [[maybe_unused]] const auto judged = with_memory([&] { return judge(); });
}

/// Writes what is full, but no more than `max` buffers: under load there is no end of them. False:
/// not all got into the file.
bool Logger::State::write_full(std::uint32_t max) {
    bool is_all_written = true;
    for (std::uint32_t i = 0; i < max && !buffers.is_closed(); ++i) {
        const auto closed = buffers.next_closed();
        if (!closed) {
            break;
        }
        is_all_written = write(*closed, 0) && is_all_written;
        buffers.give_back(*closed);
    }
    return is_all_written;
}

/// What the session leaves. The last buffer says that it is the last.
void Logger::State::write_rest() {
    auto closed = buffers.next_closed();
    while (closed) {
        const auto next = buffers.next_closed();
        write(*closed, next ? std::uint16_t{0} : format::buffer_flag::flush_marker);
        buffers.give_back(*closed);
        closed = next;
    }
}

/// The flag for the next buffer.
std::uint16_t Logger::State::tell_lost_events() {
    const std::uint64_t all = buffers.events_lost();
    const std::uint64_t fresh = all - std::exchange(lost_events_told, all);
    if (fresh == 0) {
        return 0;
    }
    output.add_lost_events(fresh);
    if (is_real_time.load()) {
        live.tell_lost_events(fresh);
    }
    return format::buffer_flag::events_lost;
}

/// False: it should be in the file, and is not. Where there is neither a file nor real time it is
/// lost.
bool Logger::State::write(const ClosedBuffer& closed, std::uint16_t flags) {
    const std::uint16_t lost = tell_lost_events();
    const std::int64_t sequence = next_sequence++;
    const bool has_file = output.is_open();
    const bool is_written = output.write({.memory = closed.memory,
                                          .used = closed.used,
                                          .processor = closed.processor,
                                          .flags = static_cast<std::uint16_t>(flags | lost),
                                          .sequence = sequence,
                                          .time_stamp = closed.closed_at,
                                          .newest_time = closed.closed_at});
    if (is_real_time.load()) {
        const bool is_delivered = deliver(closed, sequence);
        delivered += is_delivered && !is_written ? 1 : 0;
    } else if (!has_file) {
        output.add_lost_buffer();
    }
    publish();
    return is_written || !has_file;
}

/// False: nobody got it, and it was not kept.
bool Logger::State::deliver(const ClosedBuffer& closed, std::int64_t sequence) {
    DeliveryCounts counted{.lost = 1};
    try {
        counted = live.deliver(closed, sequence);
    } catch (const std::bad_alloc&) { // NOLINT(bugprone-empty-catch): it is lost
    }
    real_time_lost += counted.lost;
    if (counted.lost != 0 && !was_delivery_lost) {
        output.tell(SessionEvent::Kind::buffers_lost);
    }
    was_delivery_lost = counted.lost != 0;
    tell_refusal();
    return counted.taken != 0;
}

/// A consumer that goes and leaves what it had not read may be what makes the backlog full.
void Logger::State::tell_refusal() {
    const std::uint64_t refusals = live.refusals();
    if (std::exchange(refusals_told, refusals) != refusals) {
        output.tell(SessionEvent::Kind::backlog_full);
    }
}

/// Everything that was written to buffers before now is with the file and the consumers then.
Outcome<void> Logger::State::flush_round() {
    last_round = Clock::now();
    const std::int64_t moment = buffers.close_open();
    const bool is_all_written = write_full(buffers.number_of_buffers());
    tell_lost_events();
    if (is_real_time.load() && !buffers.is_closed()) { // else some of before may be left
        live.advance(moment);
    }
    const std::uint64_t lost = output.buffers_lost();
    auto flushed = output.flush();
    if ((!is_all_written || output.buffers_lost() != lost) && output.latest_failure()) {
        return std::unexpected(*output.latest_failure());
    }
    return flushed;
}

/// A file that takes no more ends the session, unless there are consumers.
Outcome<void> Logger::State::judge() {
    const Status verdict = output.verdict();
    if (verdict == Status::success || has_stopped) {
        return {};
    }
    if (is_real_time.load()) {
        [[maybe_unused]] const auto finished = output.finish(buffers.now()); // it was told
        publish();
        return {};
    }
    if (was_end_told) {
        return {};
    }
    {
        const std::lock_guard lock(mutex);
        ended = verdict;
    }
    serve(); // from now on nobody asks for anything but the end
    if (!has_stopped && plan.end_session) {
        plan.end_session(verdict);
    }
    was_end_told = true;
    return {};
}

void Logger::State::serve() {
    Request* next = nullptr;
    std::optional<Status> end;
    {
        const std::lock_guard lock(mutex);
        next = std::exchange(first_request, nullptr);
        last_request = nullptr;
        end = ended;
    }
    while (next != nullptr) {
        Request& request = *std::exchange(next, next->next);
        const bool is_late = has_stopped || (end && request.what != Request::What::stop);
        const Outcome<void> outcome =
            is_late ? refuse(end.value_or(Status::wmi_instance_not_found), ended_by_itself)
                    : with_memory([&] { return serve(request); });
        publish();
        const std::lock_guard lock(mutex); // who asked is gone as soon as it is free
        request.outcome = outcome;
        request.is_done = true;
        done.notify_all();
    }
}

Outcome<void> Logger::State::serve(const Request& request) {
    switch (request.what) {
    case Request::What::flush:
        return flush_round();
    case Request::What::switch_to_next_file:
        static_cast<void>(flush_round());
        return output.switch_to_next_file(buffers.now());
    case Request::What::switch_to: {
        static_cast<void>(flush_round());
        auto begun = output.begin(request.file, buffers.now());
        next_sequence = std::max(next_sequence, output.first_sequence());
        return begun;
    }
    case Request::What::switch_to_real_time:
        // What was written so far is in the file, and only there if there was no real time before.
        static_cast<void>(with_memory([&] { return flush_round(); }));
        turn_real_time(true);
        return output.finish(buffers.now());
    case Request::What::real_time_on:
        turn_real_time(true);
        return {};
    case Request::What::real_time_off:
        // Consumers get what was written so far, and then their end.
        static_cast<void>(with_memory([&] { return flush_round(); }));
        turn_real_time(false);
        return {};
    case Request::What::wake:
        return {};
    case Request::What::stop:
        break;
    }
    return stop_now();
}

Outcome<void> Logger::State::stop_now() {
    has_stopped = true;
    write_rest();
    tell_lost_events();
    live.end(); // whatever becomes of the file
    return output.finish(buffers.now());
}

void Logger::State::turn_real_time(bool on) {
    live.set_real_time(on);
    is_real_time.store(on);
}

void Logger::State::publish() {
    buffers.tell_lost_buffers(output.buffers_lost());
    const std::lock_guard lock(mutex);
    counts.buffers_written = as_count(output.buffers_written() + delivered);
    counts.log_buffers_lost = as_count(output.buffers_lost());
    counts.real_time_buffers_lost = as_count(real_time_lost);
    counts.thread_id = id_of_thread;
    // The last file stays the session's when it has stopped.
    const bool is_current = output.is_open() || !has_stopped;
    if (is_current && counts.file != output.path()) {
        try {
            counts.file = output.path();
        } catch (const std::bad_alloc&) { // NOLINT(bugprone-empty-catch): said the next time
        }
    }
}

} // namespace etl::session
