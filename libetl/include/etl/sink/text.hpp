// Events for people: one line each, values as Windows displays them. docs/output.md#text
// One thread each; clone() gives another of the same settings.
#pragma once

#include <etl/flow/sink.hpp>
#include <etl/sink/options.hpp>

#include <memory>

namespace etl::sink {

struct TextOptions {
    bool colour = false; // ANSI escapes by level
};

class Text final : public flow::Encoder {
public:
    Text(Options options, TextOptions text);
    ~Text() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

private:
    class Writer;

    std::unique_ptr<Writer> writer_;
};

} // namespace etl::sink
