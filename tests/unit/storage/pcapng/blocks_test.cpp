// What is written is what a strict reader reads.
#include "pcapng/blocks.hpp"
#include "tests/support/captures/pcapng_file.hpp"

#include <gmock/gmock.h>

namespace etl::pcapng::blocks_test {
namespace {

using namespace etl::test;
using testing::ElementsAre;

constexpr Filetime noon{133'603'920'000'000'001};

std::string start(LinkType link = LinkType::ethernet) {
    std::string file;
    append_section(file, {});
    append_interface(file, {.name = "one", .link = link});
    return file;
}

std::vector<std::byte> bytes(std::size_t size) {
    std::vector<std::byte> all(size);
    for (std::size_t i = 0; i < size; ++i) {
        all[i] = static_cast<std::byte>(i * 7 + 1);
    }
    return all;
}

TEST(Pcapng, CaptureFilesAreRecognized) {
    const auto looks_so = [](const std::string& file) {
        return looks_like_capture_file(std::as_bytes(std::span(file)));
    };
    EXPECT_TRUE(looks_so(start()));
    EXPECT_TRUE(looks_so("\xD4\xC3\xB2\xA1"));
    EXPECT_TRUE(looks_so("\xA1\xB2\x3C\x4D"));
    EXPECT_FALSE(looks_so("\x0A\x0D"));
    EXPECT_FALSE(looks_so("etl trace"));
    EXPECT_FALSE(looks_like_capture_file({}));
}

TEST(Pcapng, SectionHasTextsAndComments) {
    std::string file;
    append_section(
        file, {.hardware = "box", .os = "Windows", .application = "etl", .comments = {"a", "b"}});
    const PcapngFile read = read_pcapng(file);
    EXPECT_EQ(read.section.one(2), "box");
    EXPECT_EQ(read.section.one(3), "Windows");
    EXPECT_EQ(read.section.one(4), "etl");
    EXPECT_THAT(read.section.all(1), ElementsAre("a", "b"));
}

TEST(Pcapng, InterfaceHasAllThatIsKnown) {
    std::string file;
    append_section(file, {});
    Interface interface{.name = "nic",
                        .description = "adapter",
                        .os = "Windows build 7",
                        .hardware = "card",
                        .filter = "filter 1",
                        .link = LinkType::wifi,
                        .speed = 1'000'000'000};
    interface.ipv4.push_back({std::byte{192}, std::byte{0}, std::byte{2}, std::byte{1}});
    interface.ipv6.push_back({std::byte{0x20}, std::byte{1}});
    interface.mac = Mac{std::byte{2}};
    append_interface(file, interface);
    const PcapngFile read = read_pcapng(file);
    ASSERT_EQ(read.interfaces.size(), 1U);
    const PcapngInterface& one = read.interfaces[0];
    EXPECT_EQ(one.link, 105);
    EXPECT_EQ(one.name, "nic");
    EXPECT_EQ(one.description, "adapter");
    EXPECT_EQ(one.block.one(4), std::string("\xC0\x00\x02\x01\xFF\xFF\xFF\xFF", 8));
    EXPECT_EQ(one.block.one(5).size(), 17U);
    EXPECT_EQ(one.block.one(5).back(), '\x80');
    EXPECT_EQ(one.block.one(6), std::string("\x02\0\0\0\0\0", 6));
    EXPECT_EQ(number_at<std::uint64_t>(one.block.one(8), 0), 1'000'000'000U);
    EXPECT_EQ(one.block.one(11), std::string("\0filter 1", 9));
    EXPECT_EQ(one.block.one(12), "Windows build 7");
    EXPECT_EQ(one.block.one(15), "card");
}

TEST(Pcapng, PacketsOfEverySizeArePadded) {
    std::string file = start();
    for (std::size_t size = 0; size < 9; ++size) {
        append_packet(file, {.time = noon, .data = bytes(size), .original_size = 100});
    }
    const PcapngFile read = read_pcapng(file);
    ASSERT_EQ(read.packets.size(), 9U);
    for (std::size_t size = 0; size < 9; ++size) {
        EXPECT_EQ(read.packets[size].data, as_text(bytes(size)));
        EXPECT_EQ(read.packets[size].original, 100U);
        EXPECT_TRUE(read.packets[size].block.options.empty());
    }
}

TEST(Pcapng, TimesAreExact) {
    std::string file = start();
    append_packet(file, {.time = noon});
    append_packet(file, {.time = {0}}); // before 1970
    const PcapngFile read = read_pcapng(file);
    EXPECT_EQ(read.packets[0].nanoseconds,
              static_cast<std::uint64_t>(noon.ticks - Filetime::unix_epoch) * 100);
    EXPECT_EQ(read.packets[1].nanoseconds, 0U);
}

TEST(Pcapng, PacketHasFlagsHashVerdictAndComments) {
    std::string file = start();
    const std::vector<std::string> comments{"first", "second"};
    append_packet(file,
                  {.time = noon,
                   .data = bytes(5),
                   .original_size = 5,
                   .flags = flag::inbound | flag::broadcast,
                   .comments = comments,
                   .packet_id = 77,
                   .toeplitz_hash = {{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}}},
                   .is_dropped = true});
    const PcapngPacket packet = read_pcapng(file).packets.at(0);
    EXPECT_EQ(packet.flags(), 0xDU);
    EXPECT_THAT(packet.comments(), ElementsAre("first", "second"));
    EXPECT_EQ(packet.block.one(3), "\x05\x01\x02\x03\x04");
    EXPECT_EQ(number_at<std::uint64_t>(packet.block.one(5), 0), 77U);
    EXPECT_EQ(packet.block.one(7), std::string("\x02\x01\0\0\0\0\0\0\0", 9));
}

TEST(Pcapng, LargestPacketIsThatOfReaders) {
    std::string file = start();
    append_packet(file, {.time = noon, .data = bytes(max_packet + 5), .original_size = 0});
    const PcapngPacket packet = read_pcapng(file).packets.at(0);
    EXPECT_EQ(packet.data.size(), max_packet);
    EXPECT_EQ(packet.original, max_packet + 5);
}

TEST(Pcapng, LongTextsEndAtACharacter) {
    std::string file = start();
    std::vector<std::string> comments{std::string(max_text - 1, 'x') + "\xC3\xA9",
                                      std::string("a\0b", 3)};
    append_packet(file, {.time = noon, .comments = comments});
    const PcapngPacket packet = read_pcapng(file).packets.at(0);
    EXPECT_THAT(packet.comments(), ElementsAre(std::string(max_text - 1, 'x'), "a"));
}

TEST(Pcapng, StatisticsHaveTimesAndCounts) {
    std::string file = start();
    append_statistics(file, {.interface = 0,
                             .time = noon,
                             .start = Filetime{noon.ticks - 10},
                             .end = noon,
                             .received = 5,
                             .dropped_by_os = 2});
    const PcapngFile read = read_pcapng(file);
    ASSERT_EQ(read.statistics.size(), 1U);
    const auto high_first = [&](std::uint16_t code) {
        const std::string value = read.statistics[0].one(code);
        return std::uint64_t{number_at<std::uint32_t>(value, 0)} << 32U |
               number_at<std::uint32_t>(value, 4);
    };
    const auto ns = static_cast<std::uint64_t>(noon.ticks - Filetime::unix_epoch) * 100;
    EXPECT_EQ(high_first(2), ns - 1000);
    EXPECT_EQ(high_first(3), ns);
    EXPECT_EQ(number_at<std::uint64_t>(read.statistics[0].one(4), 0), 5U);
    EXPECT_EQ(number_at<std::uint64_t>(read.statistics[0].one(7), 0), 2U);
}

TEST(Pcapng, NamesAreRecordsAndEndWithNone) {
    std::string file = start();
    append_names(file, {});
    const std::vector<ResolvedName> names{
        {bytes(4), "kettle.example"}, {bytes(16), "b"}, {bytes(5), "none"}};
    append_names(file, names);
    const PcapngFile read = read_pcapng(file);
    ASSERT_EQ(read.names.size(), 1U);
    const std::string& body = read.names[0].body;
    EXPECT_EQ(number_at<std::uint16_t>(body, 0), 1);
    EXPECT_EQ(number_at<std::uint16_t>(body, 2), 4 + 15);
    EXPECT_EQ(body.substr(8, 15), std::string("kettle.example\0", 15));
    EXPECT_EQ(number_at<std::uint16_t>(body, 24), 2);
    EXPECT_EQ(number_at<std::uint32_t>(body, body.size() - 4), 0U);
    EXPECT_EQ(body.find("none"), std::string::npos);
}

} // namespace
} // namespace etl::pcapng::blocks_test
