// Events for people: one line each, values as Windows displays them. docs/output.md#text
// One thread each; clone() gives another of the same settings.
#pragma once

#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

#include <atomic>
#include <memory>
#include <string_view>

namespace etl::sink {

struct TextOptions {
    bool color = false; // ANSI escapes by level
    /// What all lines share is said once, in front of them: the columns, the zone of the times, the
    /// traces where there are several. Else each line says its zone, and nothing is in front.
    bool head = false;
    /// Bytes of a value that are shown, for a terminal: of longer ones the beginning, with an
    /// ellipsis. 0: all of them.
    std::size_t max_value_bytes = 0;
    /// Set when something was left out for that; may be null.
    std::shared_ptr<std::atomic<bool>> has_truncated;
};

class Text final : public flow::Encoder {
public:
    Text(Options options, TextOptions text);
    ~Text() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    /// TextOptions::head, or empty.
    std::string_view head() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
