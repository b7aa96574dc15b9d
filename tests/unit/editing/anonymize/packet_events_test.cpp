// Events that hold captured packets are scrubbed by their layout, whatever their numbers say.
#include "anonymize/packets/frame.hpp"
#include "tests/unit/editing/anonymize/packets.hpp"

namespace etl::anonymize::packet_events_test {
namespace {

using namespace etl::test;

constexpr Guid ndis = *parse_guid("2ed6006e-4729-4609-b423-3ee7bcd678ef");
constexpr Guid ras = *parse_guid("d84521f7-2235-4237-a7c0-14e3a9676286");
constexpr Guid pktmon = *parse_guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
constexpr std::uint64_t start = 0x40000000, end = 0x80000000;

struct Captured {
    Guid provider;
    std::uint16_t id = 0;
    std::uint64_t keyword = 0;
    std::vector<std::byte> payload;
};

Anonymized anonymized_events(const std::vector<Captured>& events) {
    TraceBuilder trace;
    auto& buffer = trace.buffer();
    std::int64_t time = 1'000'100;
    for (const Captured& event : events) {
        buffer.add(format::EventRecord{.time = ++time,
                                       .provider = event.provider,
                                       .descriptor = {.id = event.id, .keyword = event.keyword},
                                       .payload = event.payload});
    }
    const auto reader = open(trace.build());
    return anonymized(*reader, kernel_store());
}

std::vector<std::byte> secret_frame() {
    return ethernet(0x0800, ipv4(6, tcp("SECRET")));
}

std::vector<std::byte> ndis_fragment(const std::vector<std::byte>& frame) {
    return ByteWriter()
        .u32(7)
        .u32(7)
        .u32(static_cast<std::uint32_t>(frame.size()))
        .bytes(frame)
        .u64(0x1122334455667788)
        .take();
}

TEST(PacketEvents, AreScrubbedWithoutAnySchema) {
    const auto frame = secret_frame();
    ByteWriter switched;
    switched.u32(7).u32(7).u32(3).zero_terminated16(u"port").zero_terminated16(u"vm of alice");
    switched.zero_terminated16(u"Internal").u32(1).u64(5);
    switched.u32(static_cast<std::uint32_t>(frame.size())).bytes(frame).u32(16).fill(16);
    ByteWriter remote;
    remote.zero_terminated16(u"{11111111-2222-3333-4444-555555555555}");
    remote.zero_terminated16(u"CONTOSO\\alice").u32(static_cast<std::uint32_t>(frame.size()));
    remote.bytes(frame);
    ByteWriter monitored;
    monitored.fill(14).u16(1).fill(16).u16(static_cast<std::uint16_t>(frame.size())).bytes(frame);
    const Anonymized after =
        anonymized_events({{ndis, 1001, start | end, ndis_fragment(frame)},
                           {ndis, 1001, end, ndis_fragment(Wire().text("SECRET piece").take())},
                           {ndis, 1003, start | end, switched.take()},
                           {ras, 5001, 0, remote.take()},
                           {pktmon, 160, 0x10, monitored.take()}});
    EXPECT_EQ(after.report.undecodable, 0U);
    EXPECT_EQ(after.report.changed, 6U) << "and the log file header";
    EXPECT_FALSE(occurs(after.image, "SECRET"));
    EXPECT_FALSE(occurs(after.image, "alice"));
    EXPECT_FALSE(occurs(after.image, "contoso"));
    const auto address = Wire().u32(alice).take();
    EXPECT_FALSE(as_text(after.image).contains(as_text(address)));
    const auto renamed = Wire().u32(pseudonym_of(alice)).take();
    EXPECT_TRUE(as_text(after.image).contains(as_text(renamed)));
    EXPECT_GT(after.report.values[static_cast<std::size_t>(Kind::redacted)], 0U);
}

TEST(PacketEvents, FragmentsAreKeptForTheirCaller) {
    const auto frame = secret_frame();
    const auto half = Bytes(frame).first(20);
    ByteWriter switched; // complete without keywords
    switched.u32(7).u32(7).u32(3).u16(0).u16(0).u16(0).u32(0);
    switched.u32(static_cast<std::uint32_t>(frame.size())).bytes(frame).u32(0);
    TraceBuilder trace;
    trace.buffer().add(format::EventRecord{.time = 1'000'101,
                                           .provider = ndis,
                                           .descriptor = {.id = 1001, .keyword = start},
                                           .payload = ndis_fragment({half.begin(), half.end()})});
    trace.buffer().add(format::EventRecord{.time = 1'000'102,
                                           .provider = ndis,
                                           .descriptor = {.id = 1001, .keyword = end},
                                           .payload = ndis_fragment(frame)});
    trace.buffer().add(format::EventRecord{.time = 1'000'103,
                                           .provider = ndis,
                                           .descriptor = {.id = 1001, .keyword = start | end},
                                           .payload = ndis_fragment(secret_frame())});
    trace.buffer().add(format::EventRecord{.time = 1'000'104,
                                           .provider = ndis,
                                           .descriptor = {.id = 1003},
                                           .payload = switched.take()});
    const auto reader = open(trace.build());
    const Anonymized after =
        anonymized(*reader, kernel_store(), {.key = key_of_text("tests"), .keep_fragments = true});
    EXPECT_TRUE(as_text(after.image).contains(as_text(half)));
    EXPECT_TRUE(as_text(after.image).contains(as_text(frame)));
    const std::string_view text = as_text(after.image);
    const std::size_t first = text.find("SECRET");
    EXPECT_EQ(text.find("SECRET", first + 1), std::string_view::npos) << "complete packets";
}

TEST(PacketEvents, ScrubsPacketsThatWereJoined) {
    Anonymizer edit(kernel_store(), {.key = key_of_text("tests")});
    auto expected = secret_frame();
    scrub_frame(expected, Link::ethernet, pseudonyms());
    auto joined = secret_frame();
    edit.scrub_packet(joined, Link::unknown);
    EXPECT_EQ(joined, expected);
    auto tagged = ethernet(0x8100, Wire().u16(20).u16(0x0800).bytes(ipv4(6, tcp("SECRET"))).take());
    edit.scrub_packet(tagged, Link::unknown);
    EXPECT_FALSE(occurs(tagged, "SECRET"));
    EXPECT_TRUE(as_text(tagged).contains(as_text(Wire().u32(pseudonym_of(alice)).take())));
    auto headless = secret_frame();
    edit.scrub_packet(headless, std::nullopt);
    EXPECT_EQ(headless, std::vector<std::byte>(headless.size()));
    EXPECT_GT(edit.report().values[static_cast<std::size_t>(Kind::ip_address)], 0U);
}

TEST(PacketEvents, LeaveNothingOfPayloadsThatLie) {
    const auto frame = secret_frame();
    for (const std::uint32_t size : {0U, 1U, 20U, 0xFFFFU, 0xFFFFFFFFU}) {
        ByteWriter fragment;
        fragment.u32(7).u32(7).u32(size).bytes(frame);
        ByteWriter switched;
        switched.u32(7).u32(7).u32(3).u16(0).u16(0).u16(0).u32(size).bytes(frame);
        ByteWriter open_name;
        open_name.u32(7).u32(7).u32(3).text16(u"SECRET");
        ByteWriter monitored;
        monitored.fill(14).u16(1).fill(16).u16(static_cast<std::uint16_t>(size)).bytes(frame);
        ByteWriter component;
        component.u16(1).u16(6).u32(size).bytes(frame);
        const Anonymized after = anonymized_events({{ndis, 1001, start, fragment.take()},
                                                    {ndis, 1003, start, switched.take()},
                                                    {ndis, 1003, start, open_name.take()},
                                                    {ndis, 1002, 0, fragment.take()},
                                                    {pktmon, 170, 0x10, monitored.take()},
                                                    {pktmon, 70, 2, component.take()}});
        EXPECT_FALSE(occurs(after.image, "SECRET")) << size;
        const auto address = Wire().u32(alice).take();
        EXPECT_FALSE(as_text(after.image).contains(as_text(address))) << size;
    }
}

TEST(PacketEvents, RenameTheAddressesOfAdaptersAndFilters) {
    ByteWriter filter;
    filter.u16(1).zero_terminated16(u"for \\\\alicepc\\x");
    filter.bytes(Wire().u16(0x0015).u32(0x5D010203).take()).fill(6).u16(0).u16(0);
    filter.bytes(Wire().u32(alice).u32(0).take()).fill(6);
    const Anonymized after = anonymized_events(
        {{pktmon, 100, 2, filter.take()},
         {pktmon, 65, 2, ByteWriter().u16(1).u16(13).bytes(Wire().u32(bob).take()).take()}});
    for (const auto& gone : {Wire().u32(alice).take(), Wire().u32(bob).take(),
                             Wire().u16(0x0015).u32(0x5D010203).take()}) {
        EXPECT_FALSE(as_text(after.image).contains(as_text(gone)));
    }
    EXPECT_FALSE(occurs(after.image, "alicepc"));
    EXPECT_EQ(after.report.undecodable, 0U);
}

} // namespace
} // namespace etl::anonymize::packet_events_test
