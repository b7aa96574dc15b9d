#include "analysis/event_counts.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "dataset/dataset.hpp"

#include <algorithm>
#include <iterator>

namespace etl::analysis {

namespace {

constexpr std::string_view counts_signature = "ETLCOUNT";
constexpr std::uint32_t counts_version = 1;
constexpr std::size_t counts_head = 40, counts_entry = 24;

using Before = EventCounts::Before;

/// The last of ascending cuts that a value of theirs does not exceed.
template <typename Value, typename Projection>
std::optional<Before> last_of(const std::vector<Before>& cuts, Value most, Projection value_of) {
    const auto after = std::ranges::upper_bound(cuts, most, {}, value_of);
    return after == cuts.begin() ? std::nullopt : std::optional(*std::prev(after));
}

/// Whether a cut can follow another one.
bool ascends(const Before& from, const Before& to) noexcept {
    return to.cut.raw > from.cut.raw && to.cut.time > from.cut.time && to.events > from.events;
}

} // namespace

std::optional<Before> EventCounts::last_up_to(std::uint64_t row) const {
    return last_of(cuts, row, &Before::events);
}

std::optional<Before> EventCounts::last_before(std::int64_t time) const {
    return last_of(cuts, time, [](const Before& before) { return before.cut.raw; });
}

std::vector<std::byte> encode(const EventCounts& counts) {
    ByteWriter to;
    to.text8(counts_signature).u32(counts_version).u32(0);
    to.u64(counts.events).u64(counts.irregular).u64(counts.cuts.size());
    for (const Before& before : counts.cuts) {
        to.u64(static_cast<std::uint64_t>(before.cut.time.ticks));
        to.u64(static_cast<std::uint64_t>(before.cut.raw)).u64(before.events);
    }
    return to.take();
}

Result<EventCounts> parse_event_counts(Bytes section) {
    Cursor from(section);
    if (as_text(from.bytes("signature", counts_signature.size())) != counts_signature) {
        return fail(ErrorCode::malformed, "not the numbers of events");
    }
    const std::uint32_t version = from.u32("version");
    from.u32("reserved");
    EventCounts counts;
    counts.events = from.u64("number of events");
    counts.irregular = from.u64("number of irregular events");
    const std::uint64_t cuts = from.u64("number of cuts");
    if (!from) {
        return std::unexpected(from.error());
    }
    if (version != counts_version) {
        return fail(ErrorCode::unsupported, "version of the numbers of events",
                    {counts_signature.size()}, counts_version, version);
    }
    if (cuts != (section.size() - counts_head) / counts_entry ||
        (section.size() - counts_head) % counts_entry != 0) {
        return fail(ErrorCode::malformed, "number of cuts");
    }
    for (std::uint64_t i = 0; i < cuts; ++i) {
        Before before;
        before.cut.time = {static_cast<std::int64_t>(from.u64("time"))};
        before.cut.raw = static_cast<std::int64_t>(from.u64("raw time"));
        before.events = from.u64("events before");
        const bool follows = counts.cuts.empty() || ascends(counts.cuts.back(), before);
        if (!follows || before.events > counts.events) {
            return fail(ErrorCode::malformed, "order of the cuts");
        }
        counts.cuts.push_back(before);
    }
    if (counts.irregular > counts.events) {
        return fail(ErrorCode::malformed, "number of irregular events");
    }
    return counts;
}

std::optional<EventCounts> event_counts_of(const trace::TraceIndex& index) {
    const auto section =
        index.sections ? index.sections->find(counts_section) : Result<Bytes>(Bytes{});
    if (!section || section->empty()) {
        return std::nullopt;
    }
    auto counts = parse_event_counts(*section);
    return counts ? std::optional(*std::move(counts)) : std::nullopt;
}

} // namespace etl::analysis
