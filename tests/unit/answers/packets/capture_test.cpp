// Traces as captures, in one call.
#include "packets/capture.hpp"
#include "packets/packet_tables.hpp"
#include "tests/unit/answers/packets/extracted.hpp"

namespace etl::packets::capture_test {
namespace {

using testing::Contains;
using testing::HasSubstr;

dataset::Dataset open(const Image& image, const dataset::Options& options = {}) {
    return dataset::Dataset({.files = {{in_memory(image)}}}, options);
}

std::vector<CaptureEvent> three_packets() {
    return {pktmon_packet(tcp_frame()), pktmon_packet(tcp_frame()), pktmon_packet(tcp_frame())};
}

TEST(CapturesInOneCall, AreTablesOfPacketsAndFlows) {
    auto traces = open(capture_trace(three_packets()));
    const auto packets = packets_of(traces);
    ASSERT_TRUE(packets);
    EXPECT_EQ(packets->rows.size(), extract(three_packets()).packets.size());
    EXPECT_EQ(packets->columns.size(), packet_columns().size());
    const auto chosen = packets_of(traces, {.skip = 1, .limit = 1});
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->rows.size(), 1U);
    EXPECT_EQ(chosen->rows.front().cells, packets->rows[1].cells);
    const auto flows = flows_of(traces);
    ASSERT_TRUE(flows);
    EXPECT_EQ(flows->rows.size(), 1U);
}

TEST(CapturesInOneCall, AreCaptureFiles) {
    auto traces = open(capture_trace(three_packets()));
    StringOutput output;
    EXPECT_EQ(write_capture(traces, output), 3U);
    EXPECT_EQ(read_pcapng(output.text()).packets.size(), 3U);
    auto none = open(capture_trace({}));
    StringOutput nothing;
    EXPECT_EQ(write_capture(none, nothing), 0U);
    EXPECT_EQ(nothing.text(), "");
}

TEST(CapturesInOneCall, FollowTheFiltersOfTheDataset) {
    auto none = open(capture_trace(three_packets()), {.where = "provider == Coffee"});
    EXPECT_EQ(packets_of(none)->rows.size(), 0U);
    auto wrong = open(capture_trace(three_packets()), {.where = "provider =="});
    const auto failed = packets_of(wrong);
    ASSERT_FALSE(failed);
    EXPECT_THAT(describe(failed.error()), HasSubstr("where: "));
}

TEST(CapturesInOneCall, SayWhyThereAreNoPackets) {
    std::vector<std::string> remarks;
    const dataset::RemarkSink sink = [&](const gather::Remark& remark) {
        remarks.push_back(describe(remark));
    };
    auto filtered =
        open(capture_trace(three_packets()), {.where = "provider == Coffee", .remarks = sink});
    const auto flows = flows_of(filtered);
    ASSERT_TRUE(flows);
    EXPECT_TRUE(flows->coverage.not_recorded.empty()); // they are, but none was chosen
    EXPECT_THAT(remarks, Contains(HasSubstr("no event is from provider 'Coffee'")));
    EXPECT_THAT(remarks, Contains(HasSubstr("no packets: no packet event matched the filters")));
    auto none = open(capture_trace({}), {.remarks = sink});
    const auto packets = packets_of(none);
    ASSERT_TRUE(packets);
    ASSERT_EQ(packets->coverage.not_recorded.size(), 1U);
    EXPECT_EQ(packets->coverage.not_recorded.front().source, "packets");
}

} // namespace
} // namespace etl::packets::capture_test
