// Bytes steer what 16 processors or more record: the time of each record after the one before,
// which may be earlier, and its size; and then what is damaged. Property: three threads, which
// merge slices of time, return the same events as one, with the same findings at the same places.
#include "fuzz/require.hpp"
#include "fuzz/steering.hpp"
#include "trace/reader.hpp"
#include "trace/writer.hpp"

#include <string>
#include <tuple>
#include <vector>

using namespace etl;

namespace {

using fuzz::require;
using fuzz::Steering;

constexpr std::int64_t start = 1'000'000;

/// Few records fill a buffer of 4 KB.
constexpr std::size_t payload_step = 64;

std::vector<std::byte> record_all(Steering& in) {
    io::MemoryFiles files;
    trace::WriterOptions options;
    options.files = &files;
    options.file.buffer_size = 0x1000;
    const unsigned processors = 16 + in.next() % 8;
    options.recording = trace::begin_recording(Filetime{start}, processors, format::ClockType::qpc);
    auto writer = trace::Writer::create("t.etl", options);
    require(writer.has_value());
    std::vector<std::int64_t> times(processors, start);
    const auto add = [&](unsigned processor, std::size_t size) {
        const std::vector<std::byte> payload(size);
        require((*writer)
                    ->add(format::EventRecord{.time = times[processor], .payload = payload},
                          static_cast<std::uint16_t>(processor))
                    .has_value());
    };
    for (unsigned processor = 0; processor < processors; ++processor) {
        add(processor, 0);
    }
    for (int i = 0; i < 1000 && in.more(); ++i) {
        const unsigned what = in.next(), step = in.next();
        if (what == 0xFF) {
            break;
        }
        const unsigned processor = what % processors;
        times[processor] += step >= 0xF0 ? -std::int64_t{step & 15U} * 8 : std::int64_t{step & 31U};
        add(processor, (what / processors % 8 + 1) * payload_step * (step >> 5U));
    }
    require((*writer)->close().has_value());
    return files.files().at("t.etl");
}

void damage(Steering& in, std::vector<std::byte>& file) {
    for (int i = 0; i < 8 && in.more(); ++i) {
        const std::size_t at =
            std::size_t{in.next()} << 12U | std::size_t{in.next()} << 4U | (in.next() & 15U);
        file[at % file.size()] ^= static_cast<std::byte>(in.next());
    }
}

/// Counts the events before each finding.
class Findings final : public DiagnosticSink {
public:
    void report(const Diagnostic& finding) override {
        list.emplace_back(events, describe(finding));
    }

    std::uint64_t events = 0;
    std::vector<std::pair<std::uint64_t, std::string>> list;
};

struct Result {
    std::vector<std::tuple<std::int64_t, std::uint64_t, std::uint32_t>> events;
    std::vector<std::pair<std::uint64_t, std::string>> findings;

    bool operator==(const Result&) const = default;
};

Result read(const std::shared_ptr<const io::InputFile>& file, trace::Order order,
            unsigned threads) {
    Result result;
    Findings findings;
    auto reader =
        trace::Reader::open(file, {.order = order, .threads = threads, .diagnostics = &findings});
    if (!reader) {
        return result;
    }
    for (flow::Run run = (*reader)->next_run(); !run.empty(); run = (*reader)->next_run()) {
        for (const flow::Event& event : run) {
            result.events.emplace_back(event.raw_time, event.buffer->number, event.offset());
        }
        findings.events += run.size();
    }
    result.findings = std::move(findings.list);
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Steering in(std::as_bytes(std::span(data, size)));
    std::vector<std::byte> content = record_all(in);
    damage(in, content);
    const auto file = io::InputFile::from_memory(std::move(content), "fuzz");
    for (const auto order : {trace::Order::time, trace::Order::recorded}) {
        require(read(file, order, 1) == read(file, order, 3));
    }
    return 0;
}
