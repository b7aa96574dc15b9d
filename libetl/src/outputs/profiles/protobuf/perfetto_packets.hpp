// Packets of a Perfetto trace. Private to profiles.
#pragma once

#include "profiles/output/batches.hpp"
#include "profiles/protobuf/proto.hpp"

#include <string>
#include <string_view>

namespace etl::profiles {

/// Fields of TracePacket.
namespace packet {
inline constexpr std::uint32_t process_tree = 2, clock_snapshot = 6, timestamp = 8, sequence = 10,
                               track_event = 11, interned_data = 12, sequence_flags = 13,
                               defaults = 59, track_descriptor = 60, perf_sample = 66,
                               first_on_sequence = 87, etw_events = 95;
} // namespace packet

/// Writes packets. What has no interned data is on one sequence, so that packets of other sequences
/// do not depend on them.
class Packets {
public:
    static constexpr std::uint32_t plain_sequence = 1, sample_sequence = 2;

    explicit Packets(Batches& to) : to_(&to) {}

    /// A packet with one field besides its time.
    void add(std::uint32_t field, std::uint64_t time, std::string_view message) {
        packet_.clear();
        Proto(packet_)
            .number(packet::timestamp, time)
            .number(packet::sequence, plain_sequence)
            .bytes(field, message);
        write(packet_);
    }

    /// A packet whose fields are complete.
    void write(std::string_view packet) {
        constexpr std::uint32_t trace_packet = 1;
        Proto(to_->text()).bytes(trace_packet, packet);
        to_->write_batch();
    }

    /// Adds an event to the bundle of its processor.
    void add_etw(std::uint16_t processor, std::uint64_t time, std::uint32_t thread,
                 std::uint32_t field, std::string_view message) {
        constexpr std::size_t largest_bundle = 1U << 14U;
        if (processor != bundle_processor_ || bundle_.size() > largest_bundle) {
            flush_etw();
            bundle_processor_ = processor;
        }
        if (bundle_.empty()) {
            bundle_time_ = time;
            Proto(bundle_).number(1, processor);
        }
        event_.clear();
        Proto(event_).number(1, time).bytes(field, message).number(4, processor).number(5, thread);
        Proto(bundle_).bytes(2, event_);
    }

    void flush_etw() {
        if (!bundle_.empty()) {
            add(packet::etw_events, bundle_time_, bundle_);
            bundle_.clear();
        }
    }

private:
    Batches* to_;
    std::string packet_, bundle_, event_;
    std::uint64_t bundle_time_ = 0;
    std::uint16_t bundle_processor_ = 0;
};

} // namespace etl::profiles
