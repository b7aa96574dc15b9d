// A logger with real buffers and a live queue, without a runtime: files lie in memory, on a disk
// that fails as it is told to. One thread writes, and keeps what it wrote.
#pragma once

#include "format/encode.hpp"
#include "format/set_field.hpp"
#include "session/logging/logger.hpp"
#include "tests/support/failing_files.hpp"
#include "tests/support/traces/written.hpp"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstring>
#include <mutex>

namespace etl::test {

/// What a watcher heard. Any thread.
class HeardEvents {
public:
    using Kind = session::SessionEvent::Kind;

    session::SessionObserver watch() {
        return [this](const session::SessionEvent& event) {
            const std::lock_guard lock(mutex_);
            events_.push_back(event);
            heard_.notify_all();
        };
    }

    std::vector<session::SessionEvent> of(Kind kind) const {
        const std::lock_guard lock(mutex_);
        std::vector<session::SessionEvent> found;
        std::ranges::copy_if(events_, std::back_inserter(found),
                             [&](const auto& event) { return event.kind == kind; });
        return found;
    }

    std::size_t count(Kind kind) const { return of(kind).size(); }

private:
    mutable std::mutex mutex_;
    std::condition_variable heard_;
    std::vector<session::SessionEvent> events_;
};

class LoggerRig {
public:
    static constexpr std::uint32_t buffer_size = 0x1000;

    LoggerRig() {
        options.name = "Signal Box";
        options.clock = 1;
        options.buffer_kb = buffer_size / 1024;
        options.minimum_buffers = 4;
        options.maximum_buffers = 16;
        options.file = "t.etl";
        options.files = &files;
    }

    ~LoggerRig() {
        if (logger) {
            stop();
        }
    }

    session::Outcome<void> start() {
        namespace mode = session::mode;
        const session::BufferPlan plan{.buffer_size = buffer_size,
                                       .minimum = options.minimum_buffers,
                                       .maximum = options.maximum_buffers,
                                       .stripes = stripes,
                                       .is_ring = (options.mode & mode::buffering) != 0,
                                       .may_wait = (options.mode & mode::blocking) != 0,
                                       .mapped_file = {}};
        const auto opened = buffers.open(plan);
        EXPECT_TRUE(opened);
        ticket = *opened;
        trace::Recording recording = trace::begin_recording(now(), stripes, format::ClockType::qpc);
        recording.header.session_name = u"Signal Box";
        recording.header.log_file_mode = options.mode;
        recording.reference_time = buffers.now();
        recording.logger_id = 5;
        live.open(recording, buffer_size, (options.mode & mode::real_time) != 0, backlog_bytes,
                  [this](std::uint32_t max) { buffers.admit(max); });
        auto started = session::Logger::start({.options = options,
                                               .recording = recording,
                                               .session_id = 5,
                                               .observer = heard.watch(),
                                               .end_session =
                                                   [this](session::Status why) {
                                                       const std::lock_guard lock(end_mutex_);
                                                       ends_.push_back(why);
                                                       ended_.notify_all();
                                                   },
                                               .real_time_timer = real_time_timer},
                                              buffers, live);
        if (!started) {
            buffers.close();
            buffers.release();
            return std::unexpected(started.error());
        }
        logger = std::move(*started);
        return {};
    }

    /// An event into the buffer of a stripe; false: it is lost.
    bool write(std::uint16_t stripe = 0, std::size_t payload_size = 40) {
        std::vector<std::byte> payload(payload_size, std::byte{'p'});
        const auto size = format::padded(static_cast<std::uint32_t>(0x50 + payload.size()));
        const auto place = buffers.reserve_at(ticket, stripe, size);
        if (!place) {
            return false;
        }
        ByteWriter bytes;
        EXPECT_TRUE(format::encode(
            format::EventRecord{.process_id = 7,
                                .thread_id = 8,
                                .time = place->time,
                                .descriptor = {.id = static_cast<std::uint16_t>(++written_)},
                                .payload = payload},
            bytes));
        const Bytes record = bytes.view();
        std::memset(place->at + 4, 0, place->size - 4);
        std::memcpy(place->at + 4, record.data() + 4, record.size() - 4);
        buffers.commit(*place, load_le<std::uint32_t>(record.data()));
        records[stripe].emplace_back(record.begin(), record.end());
        return true;
    }

    /// Fills so many buffers to their end, each flushed, so that none is lost.
    void write_buffers(unsigned count, std::uint16_t stripe = 0) {
        for (unsigned i = 0; i < count; ++i) {
            for (unsigned k = 0; k < 9; ++k) {
                EXPECT_TRUE(write(stripe, 360));
            }
            static_cast<void>(logger->flush());
        }
    }

    session::Outcome<void> stop() {
        buffers.close();
        auto stopped = logger->stop();
        logger.reset();
        buffers.release();
        return stopped;
    }

    /// Waits until the logger has said that the session must end; how often and why.
    std::vector<session::Status> wait_for_end() {
        std::unique_lock lock(end_mutex_);
        ended_.wait(lock, [&] { return !ends_.empty(); });
        return ends_;
    }

    Written file(const std::string& path = "t.etl") const {
        return read_written(memory.files().at(path));
    }

    /// Records [first, last) of one stripe.
    std::vector<Image> part(std::size_t first, std::size_t last, std::uint16_t stripe = 0) {
        const auto& all = records[stripe];
        return {all.begin() + static_cast<std::ptrdiff_t>(first),
                all.begin() + static_cast<std::ptrdiff_t>(std::min(last, all.size()))};
    }

    io::MemoryFiles memory;
    FailingFiles files{memory};
    session::SessionOptions options;
    std::uint16_t stripes = 2;
    std::uint64_t backlog_bytes = 1U << 20U;
    std::uint32_t real_time_timer = 1000;
    session::Buffers buffers;
    session::LiveQueue live;
    HeardEvents heard;
    std::unique_ptr<session::Logger> logger;
    std::uint16_t ticket = 0;
    Streams records;

private:
    std::mutex end_mutex_;
    std::condition_variable ended_;
    std::vector<session::Status> ends_;
    unsigned written_ = 0;
};

} // namespace etl::test
