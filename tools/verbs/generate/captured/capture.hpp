// Captured packets of every kind, for tests of `etl pcapng`, `packets`, and `flows`: whole packets
// and fragments of NDIS-PacketCapture, a virtual switch, remote access, and PktMon with drops and a
// rundown at the end. It records what it captured, by definitions of its own. One thread.
// docs/generate.md#capture
#pragma once

#include <etl/base/byte_writer.hpp>
#include <etl/trace/writer.hpp>

#include "verbs/generate/captured/conversations.hpp"
#include "verbs/generate/random.hpp"
#include "verbs/generate/recipe.hpp"

#include <array>
#include <deque>
#include <string>
#include <vector>

namespace cli::generate {

class Capture {
public:
    /// Payloads are those of 64-bit Windows.
    Capture(const Recipe& recipe, etl::trace::Writer& writer);

    /// Writes the next packet at all places where it is seen; false if the trace is complete.
    bool next();

    double done() const noexcept;

    std::uint64_t events() const noexcept { return events_; }

    /// Returns what the trace contains, in lines: `packet,...` for each captured packet in time
    /// order, and `flow,...` for each conversation. Call once, at the end.
    std::string truth() const;

private:
    /// A packet whose last fragments follow.
    struct Open {
        Segment segment;
        std::vector<std::byte> frame;
        std::size_t written = 0;
        std::uint64_t keywords = 0;
        std::uint16_t processor = 0;
    };

    /// How a packet is seen somewhere.
    struct Seen {
        std::string_view place;
        unsigned link = 1; // LINKTYPE
        bool is_sent = false;
        std::size_t captured = SIZE_MAX; // at most
        std::uint32_t drop = 0;
    };

    void advance();
    void put(const etl::Guid& provider, std::uint16_t id, std::uint64_t keyword);
    void record(const Seen& seen, etl::Bytes data, std::size_t original);
    void capture(const Segment& segment);
    void capture_ndis(const Segment& segment);
    void capture_wifi(const Segment& segment);
    void capture_mobile(const Segment& segment);
    void capture_at_switch(const Segment& segment);
    void capture_remote(const Segment& segment);
    void capture_stack(const Segment& segment);
    void put_pktmon(const Segment& segment, const Seen& seen, std::uint16_t component,
                    std::uint16_t edge, etl::Bytes frame, std::uint16_t appearance);
    void begin_fragments(const Segment& segment);
    void continue_fragments(std::size_t number);
    void add_rundown();
    void component(std::uint16_t id, std::uint16_t type, std::u16string_view name);
    void number(std::uint16_t component, std::uint16_t property, std::uint32_t value);

    const Recipe* recipe_;
    etl::trace::Writer* writer_;
    Random random_;
    Conversations conversations_;
    etl::ByteWriter payload_;
    std::deque<Open> open_;
    std::string lines_;
    std::uint64_t events_ = 0, packets_ = 0, group_ = 0;
    std::int64_t base_, time_;
    std::uint16_t processor_ = 0;
    bool is_complete_ = false;
};

} // namespace cli::generate
