// A trace that comes in pieces: eight bytes say how, the rest is the trace. Of these bytes seven
// are sizes of chunks, taken in turn (0: a pause), the last one the window. Property: every record
// lies inside its buffer, time descends as often as late events are counted; without pauses and
// compressed buffers as many events and warnings come as out of the file.
#include "fuzz/require.hpp"
#include "tests/support/stream_feed.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::require;

constexpr std::size_t prefix = 8;

struct Totals {
    std::uint64_t events = 0;
    std::uint64_t descents = 0;
    std::uint64_t pauses = 0;
};

Totals walk(trace::StreamReader& reader) {
    Totals totals;
    std::int64_t newest = 0;
    while (true) {
        const flow::Run run = reader.next_run();
        if (run.empty() && !reader.is_paused()) {
            return totals;
        }
        totals.pauses += run.empty() ? 1U : 0U;
        const flow::Pin pin = reader.pin();
        for (const flow::Event& event : run) {
            require(fuzz::lies_inside(event.bytes(), event.buffer->bytes));
            require(flow::read_header(event).payload.size() <= event.size);
            totals.descents += totals.events > 0 && event.raw_time < newest ? 1U : 0U;
            newest = totals.events > 0 ? std::max(newest, event.raw_time) : event.raw_time;
            ++totals.events;
        }
    }
}

std::vector<std::size_t> chunks_of(Bytes how, std::size_t size) {
    std::vector<std::size_t> chunks;
    std::size_t total = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; total < size && count < 4096; ++i, ++count) {
        const auto chunk = std::to_integer<std::size_t>(how[i % (prefix - 1)]);
        chunks.push_back(chunk < 128 ? chunk : (chunk - 127) * 64);
        total += chunks.back();
    }
    return chunks;
}

/// Where compressed buffers are damaged a stream cannot look as far ahead.
bool has_compressed(const trace::Reader& reader) {
    return std::ranges::any_of(reader.buffers(), &trace::BufferEntry::is_compressed) ||
           (reader.info().header.log_file_mode & format::log_mode::compressed) != 0;
}

/// Runs of zeros unpack to 16 MB a buffer: sound, but it takes a while.
bool is_slow(const trace::Reader& reader) {
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : reader.buffers()) {
        claimed += entry.used;
    }
    return claimed > (32U << 20U);
}

void check(Bytes how, const test::Image& image, trace::Order order) {
    auto file = trace::Reader::open(test::in_memory(image), {.order = order});
    auto feed = std::make_shared<test::StreamFeed>(image, chunks_of(how, image.size()));
    auto input = trace::StreamInput::open(std::move(feed), "fuzz");
    if (!input || !input->spool_reason().empty() || !file || is_slow(**file)) {
        return;
    }
    std::uint64_t arrived = 0;
    trace::StreamOptions options{.order = order};
    options.on_arrival = [&](flow::Run run) { arrived += run.size(); };
    options.window_bytes = std::size_t{1} << (std::to_integer<unsigned>(how[prefix - 1]) % 24U);
    options.pause = std::chrono::milliseconds(1);
    auto stream = trace::StreamReader::open(std::move(*input), options);
    require(stream.has_value());
    const Totals totals = walk(**stream);
    require(totals.events == arrived);
    require(order == trace::Order::file || totals.descents == (*stream)->late_events());
    const bool has_pauses =
        std::ranges::any_of(how.first(prefix - 1), [](std::byte b) { return b == std::byte{0}; });
    if (!has_pauses && !has_compressed(**file)) {
        std::uint64_t expected = 0;
        for (flow::Run run = (*file)->next_run(); !run.empty(); run = (*file)->next_run()) {
            expected += run.size();
        }
        require(totals.events == expected);
        require((*stream)->damage() == (*file)->damage());
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < prefix) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const Bytes trace = bytes.subspan(prefix);
    const test::Image image(trace.begin(), trace.end());
    for (const auto order : {trace::Order::time, trace::Order::file}) {
        check(bytes.first(prefix), image, order);
    }
    return 0;
}
