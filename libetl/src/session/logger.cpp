#include "session/logger.hpp"

#include <etl/host/process.hpp>

#include "session/file_failure.hpp"
#include "session/logger_state.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace etl::session {

namespace {

constexpr std::uint32_t ms_per_second = 1000;

std::uint32_t timer_of(const SessionOptions& options) noexcept {
    const bool in_ms = (options.mode & mode::use_ms_flush_timer) != 0;
    const std::uint64_t ms = std::uint64_t{options.flush_timer} * (in_ms ? 1U : ms_per_second);
    constexpr std::uint64_t longest = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(ms, longest));
}

/// Waiting for more buffers than there can be would wait for ever.
std::uint32_t threshold_of(const SessionOptions& options) noexcept {
    return std::clamp(options.flush_threshold, 1U, std::max(1U, options.maximum_buffers / 2));
}

std::uint32_t as_count(std::uint64_t count) noexcept {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(count, most));
}

std::unexpected<Failure> refuse_end(Status why) {
    return refuse(why, "the session has ended by itself");
}

} // namespace

Logger::State::State(LoggerPlan chosen, Buffers& session_buffers, LiveQueue& queue)
    : plan(std::move(chosen)), buffers(session_buffers), live(queue),
      output({.options = plan.options,
              .recording = plan.recording,
              .session_id = plan.session_id,
              .watch = plan.watch,
              .begun =
                  [&session_buffers](const std::string& path, Bytes header) {
                      session_buffers.tell_recovery(path, header);
                  }}),
      is_ring((plan.options.mode & mode::buffering) != 0), threshold(threshold_of(plan.options)),
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
        return refuse(Status::no_system_resources, "no thread for the logger",
                      error.code().value());
    }
    // It runs when this is done; one that has ended already says so to the runtime.
    static_cast<void>(ask(Request::What::wake));
    return {};
}

/// Leaves a request and waits until it is done.
Outcome<void> Logger::State::ask(Request::What what, const std::string& file) {
    Request request{.what = what, .file = file, .outcome = {}};
    std::unique_lock lock(mutex);
    if (ended && what != Request::What::stop) {
        return refuse_end(*ended);
    }
    requests.push_back(&request);
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

std::optional<std::int64_t> Logger::State::until_due() const {
    const std::uint32_t chosen = flush_timer.load();
    if (chosen == 0 && !is_real_time.load()) {
        return std::nullopt;
    }
    const auto period = std::chrono::milliseconds(chosen != 0 ? chosen : ms_per_second);
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(last_round + period - Clock::now());
    return std::max<std::int64_t>(left.count(), 0);
}

void Logger::State::run() {
    id_of_thread = host::thread_id();
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
    asked.wait(lock, [&] { return !requests.empty(); });
}

/// What there is to do when the thread wakes, whatever woke it.
void Logger::State::pass() {
    write_full(buffers.number_of_buffers());
    if (until_due() == 0 && !buffers.is_closed()) {
        // Whoever lost something by it has been told, and it is counted.
        [[maybe_unused]] const auto flushed = flush_round();
    }
    publish();
    serve();
    judge();
}

/// Writes what is full, but no more than `most` buffers: under load there is no end of them. False:
/// not all got into the file.
bool Logger::State::write_full(std::uint32_t most) {
    bool is_all_written = true;
    for (std::uint32_t i = 0; i < most && !buffers.is_closed(); ++i) {
        const auto filled = buffers.next_filled();
        if (!filled) {
            break;
        }
        is_all_written = write(*filled, 0) && is_all_written;
        buffers.give_back(*filled);
    }
    return is_all_written;
}

/// What the session leaves. The last buffer says that it is the last.
void Logger::State::write_rest() {
    auto filled = buffers.next_filled();
    while (filled) {
        const auto next = buffers.next_filled();
        write(*filled, next ? std::uint16_t{0} : format::buffer_flag::flush_marker);
        buffers.give_back(*filled);
        filled = next;
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

/// False: it should be in the file, and is not.
bool Logger::State::write(const FilledView& filled, std::uint16_t flags) {
    const std::uint16_t lost = tell_lost_events();
    const std::int64_t sequence = next_sequence++;
    const bool has_file = output.is_open();
    const bool is_written = output.write({.memory = filled.memory,
                                          .used = filled.used,
                                          .processor = filled.processor,
                                          .flags = static_cast<std::uint16_t>(flags | lost),
                                          .sequence = sequence,
                                          .time_stamp = filled.closed_at,
                                          .newest_time = filled.closed_at});
    if (is_real_time.load()) {
        deliver(filled, sequence);
        delivered += is_written ? 0 : 1;
    }
    publish();
    return is_written || !has_file;
}

void Logger::State::deliver(const FilledView& filled, std::int64_t sequence) {
    const std::uint32_t lost = live.deliver(filled, sequence);
    real_time_lost += lost;
    if (lost != 0 && !was_delivery_lost) {
        output.tell(live.consumers() == 0 ? SessionEvent::Kind::backlog_full
                                          : SessionEvent::Kind::buffers_lost);
    }
    was_delivery_lost = lost != 0;
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
void Logger::State::judge() {
    const Status verdict = output.verdict();
    if (verdict == Status::success || has_stopped) {
        return;
    }
    if (is_real_time.load()) {
        [[maybe_unused]] const auto finished = output.finish(buffers.now()); // it was told
        publish();
        return;
    }
    if (std::exchange(was_end_told, true)) {
        return;
    }
    {
        const std::lock_guard lock(mutex);
        ended = verdict;
    }
    serve(); // from now on nobody asks for anything but the end
    if (!has_stopped && plan.end_session) {
        plan.end_session(verdict);
    }
}

void Logger::State::serve() {
    std::deque<Request*> taken;
    std::optional<Status> end;
    {
        const std::lock_guard lock(mutex);
        taken.swap(requests);
        end = ended;
    }
    for (Request* const request : taken) {
        const bool is_late = has_stopped || (end && request->what != Request::What::stop);
        Outcome<void> outcome =
            is_late ? refuse_end(end.value_or(Status::wmi_instance_not_found)) : serve(*request);
        publish();
        const std::lock_guard lock(mutex); // who asked is gone as soon as it is free
        request->outcome = outcome;
        request->is_done = true;
        done.notify_all();
    }
}

Outcome<void> Logger::State::serve(const Request& request) {
    switch (request.what) {
    case Request::What::flush:
        return flush_round();
    case Request::What::next_file:
        static_cast<void>(flush_round());
        return output.next_file(buffers.now());
    case Request::What::switch_to: {
        static_cast<void>(flush_round());
        auto begun = output.begin(request.file, buffers.now());
        next_sequence = std::max(next_sequence, output.first_sequence());
        return begun;
    }
    case Request::What::end_file: {
        static_cast<void>(flush_round());
        return output.finish(buffers.now());
    }
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
    auto finished = output.finish(buffers.now());
    live.end();
    return finished;
}

void Logger::State::publish() {
    const std::lock_guard lock(mutex);
    counts.buffers_written = as_count(output.buffers_written() + delivered);
    counts.log_buffers_lost = as_count(output.buffers_lost());
    counts.real_time_buffers_lost = as_count(real_time_lost);
    counts.thread_id = id_of_thread;
    counts.file = output.path();
}

Outcome<void> Logger::State::write_ring(const std::string& file) {
    tell_lost_events();
    if (auto begun = output.begin(file, buffers.now()); !begun) {
        return begun;
    }
    next_sequence = 1;
    const std::uint64_t lost = output.buffers_lost();
    buffers.for_each_in_ring([&](const FilledView& filled) {
        output.write({.memory = filled.memory,
                      .used = filled.used,
                      .processor = filled.processor,
                      .sequence = next_sequence++,
                      .time_stamp = filled.closed_at,
                      .newest_time = filled.closed_at});
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
    auto state = std::make_unique<State>(std::move(plan), buffers, live);
    if (auto opened = state->open(); !opened) {
        return std::unexpected(opened.error());
    }
    if (auto started = state->start_thread(); !started) {
        return std::unexpected(started.error());
    }
    return std::unique_ptr<Logger>(new Logger(std::move(state)));
}

Outcome<void> Logger::flush() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::bad_pathname, "a ring is written to a file of its own");
    }
    return state_->ask(State::Request::What::flush);
}

Outcome<void> Logger::snapshot(const std::string& file) {
    if (!state_ || !state_->is_ring) {
        return refuse(Status::invalid_parameter, "only a ring has snapshots");
    }
    return state_->write_ring(file);
}

Outcome<void> Logger::next_file() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "a ring has no files");
    }
    return state_->ask(State::Request::What::next_file);
}

Outcome<void> Logger::switch_to(const std::string& file) {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "a ring has no files");
    }
    return state_->ask(State::Request::What::switch_to, file);
}

Outcome<void> Logger::end_file() {
    if (!state_ || state_->is_ring) {
        return refuse(Status::invalid_parameter, "a ring has no files");
    }
    return state_->ask(State::Request::What::end_file);
}

void Logger::set_flush_timer(std::uint32_t milliseconds) {
    if (state_ && !state_->is_ring) {
        state_->flush_timer.store(milliseconds);
        state_->buffers.wake();
    }
}

void Logger::set_real_time(bool is_real_time) {
    if (state_ && !state_->is_ring) {
        state_->is_real_time.store(is_real_time);
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

} // namespace etl::session
