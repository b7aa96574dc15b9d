// What a trace states of losses. docs/repair.md#unknown
#include "flow/losses.hpp"
#include "flow/merged_inputs.hpp"
#include "format/own_events.hpp"
#include "format/record_kind.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace etl::flow::losses_test {
namespace {

TraceInfo finalized(std::uint32_t events, std::uint32_t buffers) {
    TraceInfo trace;
    trace.has_header = true;
    trace.header.provider_version = 19045;
    trace.header.events_lost = events;
    trace.header.buffers_lost = buffers;
    return trace;
}

TEST(StatedLosses, AreTotalsOfAFinalizedTrace) {
    const StatedLosses none = stated_losses(finalized(0, 0));
    EXPECT_EQ(none.events, 0U);
    EXPECT_EQ(none.buffers, 0U);
    EXPECT_TRUE(none.are_totals);
}

TEST(StatedLosses, AreUnknownCountByCount) {
    TraceInfo unfinalized = finalized(0, 3);
    unfinalized.is_unfinalized = true;
    TraceInfo indicated = finalized(0, 3);
    indicated.has_unknown_losses = true;
    for (const StatedLosses& losses : {stated_losses(unfinalized), stated_losses(indicated),
                                       stated_losses(finalized(0, 3), true)}) {
        EXPECT_EQ(losses.events, std::nullopt);
        EXPECT_EQ(losses.buffers, 3U) << "at least";
        EXPECT_FALSE(losses.are_totals);
    }
    EXPECT_EQ(stated_losses({}).events, std::nullopt);
}

TEST(StatedLosses, OfAnEventLogAreRecordsThatItLacks) {
    TraceInfo log = finalized(220, 0);
    log.header.provider_version = 0;
    EXPECT_EQ(stated_losses(log).events, 220U);
    EXPECT_EQ(stated_losses(log).buffers, std::nullopt);
}

TEST(StatedLosses, AddUpIfBothAreKnownOrNotZero) {
    EXPECT_EQ(sum_of_losses(0, 0), 0U);
    EXPECT_EQ(sum_of_losses(1, 2), 3U);
    EXPECT_EQ(sum_of_losses(std::nullopt, 0), std::nullopt);
    EXPECT_EQ(sum_of_losses(std::nullopt, 2), 2U) << "at least";
}

/// An event of a provider of libetl, with an ID.
std::vector<std::byte> own_event(const Guid& provider, std::uint16_t id) {
    std::vector<std::byte> record(format::event_record::size);
    format::put_field<format::event_record::provider_id>(record, provider);
    format::put_field<format::event_record::id>(record, id);
    return record;
}

// Others are copied like events of anybody.
TEST(OwnEvents, AreThoseWithTheirID) {
    for (const std::uint16_t id : {std::uint16_t{0}, std::uint16_t{512}}) {
        const auto losses = own_event(format::losses_event::provider, id);
        const auto source = own_event(format::source_event::provider, id);
        const auto kind = format::wide(format::RecordFamily::event);
        EXPECT_EQ(indicates_unknown_losses({.record = losses.data(), .kind = kind}), id == 0);
        EXPECT_EQ(is_source_event({.record = source.data(), .kind = kind}), id == 0);
    }
}

} // namespace
} // namespace etl::flow::losses_test
