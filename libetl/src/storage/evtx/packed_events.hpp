// Events as a stream of bytes that becomes a log: encoders that work in parallel pack events, one
// writer stores them in order. Not thread-safe.
//
// An event is packed as its shape, which many events share, its properties, and its values. Who
// packs many events of one shape computes it once, and the writer finds its templates by it.
#pragma once

#include "evtx/writer.hpp"

#include <memory>
#include <string>

namespace etl::evtx {

/// What two events have in common that differ in nothing but EventProperties, Event::user_sid, and
/// the data of values that are not literals.
struct Shape {
    std::string packed;
    std::uint64_t hash = 0;
};

/// Returns the shape of an event.
Shape shape_of(const Event& event);

/// Appends an event in the form that PackedEvents reads. Field::value and Event::user_sid are
/// copied.
void pack(std::string& to, const Event& event);

/// The same with the shape of the event; of the event itself, only what the shape does not contain
/// is used: strings and names may be missing.
void pack(std::string& to, const Event& event, const Shape& shape);

/// Writes packed events as a log. A file that has its most chunks ends: later events are counted.
class PackedEvents final : public Output {
public:
    /// `to` receives the file from its start; it must outlive this object.
    explicit PackedEvents(Output& to, const WriterOptions& options = {});
    ~PackedEvents() override;

    /// `bytes` are those of pack(), divided anywhere. Errors: those of the output; malformed.
    Result<void> write(std::string_view bytes) override;

    /// Completes the log: see Writer::finish().
    Result<Writer::HeaderBlock> finish() { return writer_.finish(); }

    const WriterCounts& counts() const noexcept { return writer_.counts(); }

    /// Events left out because the log was full, and because they exceed the format (Writer::add).
    std::uint64_t after_end() const noexcept { return after_end_; }

    std::uint64_t refused() const noexcept { return refused_; }

private:
    class Shapes;

    Result<void> add(std::string_view packed);

    Writer writer_;
    std::unique_ptr<Shapes> shapes_;
    std::string pending_; // the beginning of an event
    std::uint64_t after_end_ = 0, refused_ = 0;
};

} // namespace etl::evtx
