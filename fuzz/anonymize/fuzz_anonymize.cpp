// A byte of options, then a trace. Beyond "does not crash": every event comes out with its size and
// header as they were, and no byte differs but in payload and items; without a change it is the
// event itself; and what the report counts is what came out.
#include <etl/anonymize/anonymize.hpp>
#include <etl/trace/reader.hpp>

#include "fuzz/kernel_classes.hpp"
#include "fuzz/require.hpp"

#include <algorithm>

using namespace etl;

namespace {

using fuzz::kernel_classes;
using fuzz::require;

// Holds what comes out against what went in.
class Comparison final : public relog::Output {
public:
    explicit Comparison(const flow::Event& event) : before_(&event) {}

    void pass() override { ++given_; }

    void emit(const relog::Draft& draft) override {
        ++given_;
        ++changed_;
        const flow::Event& after = draft.event();
        require(after.size == before_->size && after.raw_time == before_->raw_time);
        require(after.kind == before_->kind);
        const flow::EventHeader was = flow::read_header(*before_);
        const flow::EventHeader is = flow::read_header(after);
        require(was.payload.size() == is.payload.size() && was.items.size() == is.items.size());
        require(was.provider == is.provider && was.id == is.id && was.process_id == is.process_id);
        require(std::ranges::equal(head(*before_, was), head(after, is)));
    }

    void emit_now(const relog::Draft& /*draft*/) override { require(false); }

    std::uint64_t given() const noexcept { return given_; }

    std::uint64_t changed() const noexcept { return changed_; }

private:
    static Bytes head(const flow::Event& event, const flow::EventHeader& header) {
        const Bytes body = header.items.empty() ? header.payload : header.items;
        return body.empty() ? event.bytes().first(4) : Bytes(event.bytes().data(), body.data());
    }

    const flow::Event* before_;
    std::uint64_t given_ = 0, changed_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const auto store = kernel_classes();
    if (size == 0) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    auto reader =
        trace::Reader::open(io::InputFile::from_memory({bytes.begin(), bytes.end()}, "fuzz"), {});
    if (!reader) {
        return 0;
    }
    std::uint64_t claimed = 0;
    for (const trace::BufferEntry& entry : (*reader)->buffers()) {
        claimed += entry.used;
    }
    if (claimed > (1U << 20U)) {
        return 0; // sound, but it takes a while
    }
    anonymize::NameCollector collector(store);
    collector.add((*reader)->info().header);
    (*reader)->for_each_buffer(
        1, [&](unsigned, const trace::BufferEntry&, flow::Run run) { collector.add(run); });
    anonymize::Options options{
        .key = anonymize::key_of(bytes.first(std::min<std::size_t>(8, bytes.size()))),
        .names = collector.take()};
    if ((data[0] & 1U) != 0) {
        options.redact.push_back({"*", "*", (data[0] & 2U) != 0 ? "*a*" : "*"});
    }
    options.drop_undecodable = (data[0] & 4U) != 0;
    anonymize::Anonymizer edit(store, options);
    std::uint64_t given = 0, changed = 0, events = 0;
    flow::EventCursor cursor(**reader);
    while (const flow::Event* event = cursor.next()) {
        Comparison output(*event);
        edit.edit(*event, output);
        require(output.given() <= 1);
        given += output.given();
        changed += output.changed();
        ++events;
    }
    const anonymize::Report report = edit.report();
    require(report.events == events && report.changed == changed);
    require(given + report.dropped == events);
    return 0;
}
