// Events as text: one line each, with values as Windows displays them. Not thread-safe; clone()
// returns an encoder with the same settings. docs/output.md#text
#pragma once

#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <atomic>
#include <memory>
#include <string_view>

namespace etl::sink {

struct TextOptions {
    bool color = false; // ANSI escapes by level
    /// Write a head with what all lines share: the columns, the time zone, and the traces if there
    /// are several. Otherwise each line contains its zone.
    bool head = false;
    /// Maximum length of a value in bytes, for terminals: longer values are truncated with an
    /// ellipsis. 0: no limit.
    std::size_t max_value_bytes = 0;
    /// Set when a value was truncated; may be null.
    std::shared_ptr<std::atomic<bool>> has_truncated;
};

class Text final : public flow::Encoder {
public:
    Text(Options options, TextOptions text);
    ~Text() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    /// Returns the head of TextOptions::head, or an empty text.
    std::string_view head() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

    /// Appends what a line has after the names of an event that is decoded already: a blank before
    /// each field, the message, and remarks. `generation` is that of its decoder; all events come
    /// from one decoder. Options::where and facts are ignored.
    void append_payload(const decode::DecodedEvent& event, std::uint32_t generation,
                        std::string& to);

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
