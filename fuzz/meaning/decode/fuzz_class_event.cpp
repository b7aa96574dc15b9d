// A byte of options, then any record, decoded with the kernel's own classes. Beyond "does not
// crash": the schema that was chosen takes the payload as its size says; a guessed layout is only
// taken where it uses up the payload, or is that of an older version and leaves bytes over; the
// event is counted once, and the same whenever it comes.
#include "decode/coverage.hpp"
#include "format/records.hpp"
#include "fuzz/kernel_classes.hpp"
#include "fuzz/walk_rules.hpp"

using namespace etl;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    const Bytes bytes = std::as_bytes(std::span(data, size)).subspan(1);
    const format::RecordShape shape = format::record_at(bytes);
    if (shape.kind == format::RecordKind::none) {
        return 0;
    }
    flow::TraceInfo trace;
    flow::BufferContext buffer;
    buffer.trace = &trace;
    buffer.bytes = bytes;
    const flow::Event event{bytes.data(), shape.time, &buffer,
                            shape.size,   shape.kind, shape.has_time};
    static const auto store = fuzz::kernel_classes();
    constexpr unsigned sizes[] = {0, 4, 8};
    decode::Decoder decoder(store, {.pointer_size = sizes[data[0] % 3U]});
    decode::Coverage coverage;
    for (int round = 0; round < 2; ++round) {
        const decode::DecodedEvent& decoded = decoder.decode(event);
        const decode::EventKind& kind = *decoded.kind;
        fuzz::require((kind.schema == nullptr) == (kind.raw_reason != decode::RawReason::none));
        coverage.add(decoded);
        if (kind.schema == nullptr) {
            continue;
        }
        decode::FieldWalker walker;
        walker.start(kind.plan, decoded.body);
        while (walker.next() != decode::Step::end) {
        }
        fuzz::require_fit(kind.plan, decoded.body, walker);
        const bool has_more = !walker.failed() && !walker.is_short();
        fuzz::require(!kind.is_guess || walker.consumed_exactly() ||
                      (kind.allows_more && has_more));
    }
    const decode::CoverageCounts total = coverage.total();
    fuzz::require(total.events() == 2 && coverage.providers().size() == 1);
    for (const std::uint64_t count : {total.exact, total.guessed, total.trailing,
                                      total.short_payloads, total.contradicting, total.raw()}) {
        fuzz::require(count == 0 || count == 2);
    }
    return 0;
}
