// A session without a logger: buffers that are looked at in memory when it has ended. And a
// provider that is enabled for such sessions.
#pragma once

#include "format/record_kind.hpp"
#include "format/records.hpp"
#include "session/logging/session_core.hpp"
#include "session/providers/registrations.hpp"
#include "session/writing/event_writer.hpp"
#include "tests/support/traces/trace_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace etl::session {

struct BareOptions {
    std::uint16_t id = 1;
    std::uint32_t mode = 0;
    std::uint32_t buffer_size = 0x10000;
    std::uint32_t buffers = 8;
    std::uint16_t stripes = 1;
    format::ClockType clock = format::ClockType::qpc;
    bool may_wait = false;
};

class BareSession {
public:
    explicit BareSession(const BareOptions& options = {}) {
        core_.id = options.id;
        core_.bit = std::uint64_t{1} << (options.id - 1U);
        core_.mode = options.mode;
        const auto ticket = core_.buffers.open({.buffer_size = options.buffer_size,
                                                .minimum = options.buffers,
                                                .maximum = options.buffers,
                                                .stripes = options.stripes,
                                                .clock = options.clock,
                                                .may_wait = options.may_wait,
                                                .mapped_file = {}});
        if (ticket) {
            ref_ = {&core_, *ticket};
        }
    }

    BareSession(const BareSession&) = delete;
    BareSession& operator=(const BareSession&) = delete;

    ~BareSession() { records(); }

    const SessionRef& ref() const noexcept { return ref_; }

    Buffers& buffers() noexcept { return core_.buffers; }

    /// Ends the session. Its records, of one processor after the other; those that were given up
    /// are only counted.
    const std::vector<test::Image>& records() {
        if (!is_closed_) {
            is_closed_ = true;
            core_.buffers.close();
            while (const auto closed = core_.buffers.next_closed()) {
                take(*closed);
                core_.buffers.give_back(*closed);
            }
            core_.buffers.release();
        }
        return records_;
    }

    std::size_t abandoned() const noexcept { return abandoned_; }

private:
    void take(const ClosedBuffer& closed) {
        for (std::uint32_t at = 0x48; at < closed.used;) {
            const Bytes rest(closed.memory + at, closed.used - at);
            const format::RecordShape shape = format::record_at(rest);
            ASSERT_NE(shape.kind, format::RecordKind::none);
            if (shape.kind.family == format::RecordFamily::error) {
                ++abandoned_;
            } else {
                records_.emplace_back(rest.begin(), rest.begin() + shape.size);
            }
            at += format::padded(shape.size);
        }
    }

    SessionCore core_;
    SessionRef ref_;
    std::vector<test::Image> records_;
    std::size_t abandoned_ = 0;
    bool is_closed_ = false;
};

/// What an event writer asks of a runtime.
struct BareProvider {
    explicit BareProvider(const Guid& id)
        : guid(id), node(*registrations.add(id, ProviderKind::modern, {})) {}

    void enable(const BareSession& session, const EnableOptions& how = {}) {
        ASSERT_TRUE(registrations.control(session.ref(), guid, Control::enable, how));
    }

    void disable(const BareSession& session) {
        ASSERT_TRUE(registrations.control(session.ref(), guid, Control::disable, {}));
    }

    WriteResult write(const format::EventDescriptor& descriptor, Bytes payload = {},
                      const WriteOptions& options = {}) const {
        const Bytes parts[]{payload};
        return write_event(*node, {.descriptor = &descriptor, .parts = parts}, options);
    }

    Registrations registrations;
    Guid guid;
    RegistrationNode* node = nullptr;
};

template <auto field>
auto field_of(const test::Image& record) {
    return load<field>(std::span<const std::byte, format::event_record::size>(
        record.data(), format::event_record::size));
}

} // namespace etl::session
