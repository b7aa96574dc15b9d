// The logger thread. What costs memory may fail: a buffer is lost then, and the thread goes on.
#include "host/process.hpp"
#include "session/logging/file_failure.hpp"
#include "session/logging/logger_state.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace etl::session {

namespace {

std::uint32_t as_count(std::uint64_t count) noexcept {
    constexpr std::uint64_t most = 0xFFFFFFFF;
    return static_cast<std::uint32_t>(std::min(count, most));
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

/// Writes what is full, but no more than `most` buffers: under load there is no end of them. False:
/// not all got into the file.
bool Logger::State::write_full(std::uint32_t most) {
    bool is_all_written = true;
    for (std::uint32_t i = 0; i < most && !buffers.is_closed(); ++i) {
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
