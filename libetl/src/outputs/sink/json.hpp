// Events as JSON: one object per line, or one array. The contract for keys and values is
// docs/output.md. Not thread-safe; clone() returns an encoder with the same settings.
#pragma once

#include "flow/sink.hpp"
#include "sink/options.hpp"

#include <memory>

namespace etl::sink {

/// One object per line.
class JsonLines : public flow::Encoder {
public:
    explicit JsonLines(Options options);
    ~JsonLines() override;

    std::unique_ptr<flow::Encoder> clone() const override;
    bool encode(const flow::Event& event, std::string& to) override;
    flow::DecodeCounts decode_counts() const override;

    /// Appends the object of an event that is decoded already, without a line end. `generation` is
    /// that of its decoder; all events come from one decoder. Returns false, and appends nothing,
    /// if Options::where rejects the event.
    bool encode_object(const decode::DecodedEvent& event, std::uint32_t generation,
                       std::string& to);

protected:
    class Writer;

    /// Appends one object, without a separator.
    bool encode_object(const flow::Event& event, std::string& to);
    const Options& options() const noexcept;

private:
    std::unique_ptr<Writer> writer_;
};

/// The same objects as one array, one object per line.
class JsonArray final : public JsonLines {
public:
    explicit JsonArray(Options options);

    std::unique_ptr<flow::Encoder> clone() const override;

    std::string_view head() const override { return "[\n"; }

    std::string_view separator() const override { return ",\n"; }

    std::string_view tail() const override { return "\n]\n"; }

    bool encode(const flow::Event& event, std::string& to) override;
};

} // namespace etl::sink
