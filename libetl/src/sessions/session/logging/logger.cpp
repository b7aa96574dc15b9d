#include "session/logging/logger.hpp"

#include "host/process.hpp"
#include "session/logging/file_failure.hpp"
#include "session/logging/logger_state.hpp"

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

} // namespace etl::session
