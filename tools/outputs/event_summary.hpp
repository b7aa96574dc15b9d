// Counts of events by name and type, as tracefmt and tracerpt print them.
#pragma once

#include <etl/guid.hpp>

#include "decode/decoder.hpp"
#include "inputs/merged_events.hpp"
#include "sink/decoding_encoder.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace cli {

/// Filled by SummingEncoders, one for each thread. Thread-safe; read it after they are destroyed.
class EventSummary {
public:
    struct Kind {
        std::string name, type;
        etl::Guid guid; // of the provider, the class, or the message

        auto operator<=>(const Kind&) const = default;
    };

    /// The words that differ between the tools.
    struct Words {
        const char* count;
        const char* name;
        const char* type;
        const char* guid;
        bool has_formats; // counts format errors and unknown formats
    };

    static constexpr Words tracefmt{"EventCount", "EventName", "EventType", "TMF|Guid", true};
    static constexpr Words tracerpt{"Event Count", "Event Name", "Event Type", "Guid", false};

    struct Counts {
        std::map<Kind, std::uint64_t> kinds;
        std::uint64_t format_errors = 0;
        std::uint64_t unknown_formats = 0;
    };

    void add(const Counts& counts);

    const Counts& counts() const noexcept { return counts_; }

    /// The text of the summary: files, totals, and a row for each kind.
    std::string text(const Traces& traces, const Words& words) const;

private:
    std::mutex mutex_;
    Counts counts_;
};

/// Encodes with another encoder, if any, and counts what it does not omit.
class SummingEncoder final : public etl::flow::Encoder {
public:
    /// `inner` null: events are only counted.
    SummingEncoder(std::unique_ptr<etl::flow::Encoder> inner, std::shared_ptr<EventSummary> summary,
                   etl::schema::SchemasByTrace schemas);

    /// Counts what `inner` has decoded, instead of decoding again.
    SummingEncoder(std::unique_ptr<etl::sink::DecodingEncoder> inner,
                   std::shared_ptr<EventSummary> summary, etl::schema::SchemasByTrace schemas);
    SummingEncoder(const SummingEncoder&) = delete;
    SummingEncoder& operator=(const SummingEncoder&) = delete;
    ~SummingEncoder() override;

    std::unique_ptr<etl::flow::Encoder> clone() const override;
    std::string_view head() const override;
    std::string_view separator() const override;
    std::string_view tail() const override;
    bool encode(const etl::flow::Event& event, std::string& to) override;
    etl::flow::DecodeCounts decode_counts() const override;

private:
    void count(const etl::decode::DecodedEvent& event, std::uint32_t generation);
    void add_up();

    const etl::sink::DecodingEncoder* decoding_ = nullptr; // inner_, if it shows what it decodes
    std::unique_ptr<etl::flow::Encoder> inner_;
    std::shared_ptr<EventSummary> summary_;
    etl::schema::SchemasByTrace schemas_;
    etl::decode::Decoder decoder_; // if it does not
    std::uint32_t generation_ = 0;
    std::vector<EventSummary::Kind> kinds_; // by number
    std::vector<std::uint64_t> events_;     // by number
    std::uint64_t unknown_formats_ = 0;
};

} // namespace cli
