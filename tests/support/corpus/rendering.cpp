// The sample good/manifest-types: what tests/golden/manifest-types/types.man describes, with the
// values at their bounds.
#include "format/records.hpp"
#include "tests/support/corpus/corpus.hpp"

#include <bit>
#include <limits>

namespace etl::test {

namespace {

constexpr Guid provider = *parse_guid("3f0c9d52-7b1e-4c84-9a37-5d2e6b81c0f4");
constexpr std::int64_t second = 10'000'000;

/// One event after another, a second apart.
class Story {
public:
    explicit Story(BufferBuilder& to) : to_(to) {}

    void add(std::uint16_t id, const ByteWriter& payload,
             format::Width width = format::Width::bits64) {
        time_ += second;
        to_.add(format::EventRecord{
            .width = width,
            .process_id = 77,
            .thread_id = 78,
            .time = time_,
            .provider = provider,
            .descriptor = {.id = id, .level = 4, .keyword = std::uint64_t{1} << 63U},
            .payload = payload.view()});
    }

private:
    BufferBuilder& to_;
    std::int64_t time_ = 0;
};

ByteWriter& counted16(ByteWriter& to, std::u16string_view text) {
    return to.u16(static_cast<std::uint16_t>(2 * text.size())).text16(text);
}

ByteWriter& counted8(ByteWriter& to, std::string_view text) {
    return to.u16(static_cast<std::uint16_t>(text.size())).text8(text);
}

void texts(Story& to) {
    ByteWriter wide;
    wide.zero_terminated16(u"caf\u00E9 \u8336 \U0001F375 \"q\" \\ \t\x01");
    wide.text16(u"ab").fill(8).u16(3).text16(u"xyz");
    wide.zero_terminated16(u"<a b=\"1\">&amp;</a>").zero_terminated16(u"{\"a\":[1]}");
    counted16(counted16(wide, u"cup"), u"<c/>");
    to.add(1, wide);
    ByteWriter bad;
    bad.u16('a').u16(0xD800).u16('b').u16(0xDC00).u16(0); // surrogates without their other half
    bad.text16(u"sixsix").u16(0).u16(0).u16(0);
    counted16(counted16(bad, u""), u"");
    to.add(1, bad);

    ByteWriter narrow;
    narrow.zero_terminated8("caf\xE9 \x80").text8("ab").fill(3);
    narrow.zero_terminated8("caf\xC3\xA9 \xFF").zero_terminated8("<b>\xC3\xA9</b>");
    narrow.zero_terminated8("{\"b\":\"\xC3\xA9\"}");
    counted8(counted8(narrow, "mug \xFC"), "mug \xC3\xBC");
    to.add(2, narrow);
    ByteWriter utf8;
    utf8.zero_terminated8("caf\xC3\xA9").text8("\xCF\xF0\xE8\xE2\xE5").u8(0).u8(0).u8(0);
    counted8(counted8(utf8, ""), "");
    to.add(2, utf8);
}

void integers(Story& to) {
    to.add(3, ByteWriter().u8(0x80).u8('A').u8(0xFF).u8(0xFF).u8(0x0F).u8(0xE9).u8(2));
    to.add(3, ByteWriter().u8(0x7F).u8(0x80).u8(0).u8(0).u8(0).u8('"').u8(0));
    to.add(4, ByteWriter().u16(0x8000).u16(0xFFFF).u16(0xFFFF).u16(0xABC).u16(0xBB01).u16(0x20AC));
    to.add(4, ByteWriter().u16(0x7FFF).u16(0).u16(0).u16(0).u16(0).u16(0xD800));
    to.add(5, ByteWriter().u32(0x80000000).u32(0xDEADBEEF).u32(0x80070005).u32(0xC0000034));
    to.add(5, ByteWriter().u32(0x7FFFFFFF).u32(0).u32(0x8123ABCD).u32(0xE123ABCD));
    ByteWriter unsigned32;
    unsigned32.u32(0xFFFFFFFF).u32(4242).u32(4244).u32(0x0100000A).u32(12345);
    unsigned32.u32(5).u32(2).u32(0xC0000022).u32(0x10EC).u32(0xFFFFFFFF);
    to.add(6, unsigned32);
    ByteWriter unknown;
    unknown.u32(0).u32(0).u32(0).u32(0xFFFFFFFF).u32(0).u32(0).u32(0x12345678).u32(0).u32(0).u32(7);
    to.add(6, unknown);
    ByteWriter wide;
    wide.u64(0x8000000000000000).u64(0xFFFFFFFFFFFFFFFF).u64(30 * second).u64(0xFFFFFFFFFFFFFFFF);
    wide.u64(0xFFFFFA800143FA80).u64(2 * second).u64(0x7FF612345678);
    wide.value(story_start + 1234567);
    to.add(7, wide);
    ByteWriter hexes;
    hexes.u32(0x10EC).u32(5).u32(0x80070005).u32(0xC0000034).u32(0x80004005).u64(0).u64(0x401000);
    to.add(16, hexes);
}

void floats(Story& to) {
    to.add(8, ByteWriter().value(0.1F).value(0.1));
    to.add(8, ByteWriter().value(-0.0F).value(1e300));
    to.add(8, ByteWriter()
                  .value(std::numeric_limits<float>::quiet_NaN())
                  .value(-std::numeric_limits<double>::infinity()));
    to.add(8, ByteWriter()
                  .value(std::numeric_limits<float>::denorm_min())
                  .value(std::numeric_limits<double>::max()));
    to.add(9, ByteWriter().u32(0).u32(1));
    to.add(9, ByteWriter().u32(0x80000000).u32(0x100));
}

ByteWriter& ipv6(ByteWriter& to) {
    return to.u8(0xFE).u8(0x80).fill(13).u8(1);
}

ByteWriter& socket4(ByteWriter& to) {
    return to.u16(2).u8(0x01).u8(0xBB).u32(0x0100000A).fill(8);
}

ByteWriter& socket6(ByteWriter& to, std::uint32_t scope) {
    return ipv6(to.u16(23).u8(0x01).u8(0xBB).u32(0)).u32(scope);
}

void binaries(Story& to) {
    ByteWriter bytes;
    bytes.u32(0xEFBEADDE).u32(2).u16(0x0201);
    ipv6(bytes).fill(10).u8(0xFF).u8(0xFF).u8(192).u8(168).u8(1).u8(2);
    bytes.u8(0x30).u8(0x82).u8(0x01);
    counted8(bytes, "\x01\x02\x03");
    ipv6(bytes.u16(16));
    counted8(counted8(bytes, "\x30"), "what is left");
    to.add(10, bytes);
    ByteWriter empty;
    empty.u32(0).u32(0).fill(32).fill(3);
    counted8(counted8(counted8(empty, ""), "short of 16"), "");
    to.add(10, empty);

    ByteWriter sockets;
    socket6(socket4(sockets), 7);
    socket4(sockets).fill(112);
    socket6(sockets.u16(28), 0);
    to.add(11, sockets);
    ByteWriter odd;
    odd.u16(2).u16(0).u32(0xFFFFFFFF).fill(8);     // port 0
    odd.u16(23).u16(0).u32(0).fill(16).u32(3);     // port 0, scope 3
    odd.u16(17).fill(126, std::byte{0xAA}).u16(3); // no family that we know; three bytes
    odd.u16(2).u8(0x01);
    to.add(11, odd);
}

void identifiers(Story& to) {
    ByteWriter wide;
    wide.guid(provider).u64(0xFFFFFA800143FA80).u64(0).u64(0x7FF612345678).u64(4096);
    to.add(12, wide);
    ByteWriter narrow;
    narrow.guid({}).u32(0x80001000).u32(0).u32(0x401000).u32(0xFFFFFFFF);
    to.add(12, narrow, format::Width::bits32);
    ByteWriter sids;
    sids.u8(1).u8(2).fill(5).u8(5).u32(32).u32(544);
    sids.u16(8).u8(1).u8(0).u8(1).u8(0).u8(0).u8(0).u8(0).u8(2); // an authority beyond 2^32
    to.add(15, sids);
}

ByteWriter& date(ByteWriter& to, std::initializer_list<unsigned> parts) {
    for (const unsigned part : parts) {
        to.u16(static_cast<std::uint16_t>(part));
    }
    return to;
}

void times(Story& to) {
    constexpr std::int64_t last_of_9999 = 2'650'467'743'999'999'999;
    to.add(13, ByteWriter().value(story_start + 1234567).value(story_start).value(story_start));
    to.add(13, ByteWriter()
                   .u64(0)
                   .value(std::int64_t{-1})
                   .value(std::numeric_limits<std::int64_t>::min()));
    to.add(13, ByteWriter()
                   .value(last_of_9999)
                   .value(last_of_9999 + 1)
                   .value(std::numeric_limits<std::int64_t>::max()));
    ByteWriter good;
    for (int i = 0; i < 3; ++i) {
        date(good, {2024, 5, 5, 17, 6, 7, 8, 9});
    }
    to.add(14, good);
    ByteWriter bad;
    date(date(date(bad, {0, 0, 0, 0, 0, 0, 0, 0}), {1600, 13, 9, 32, 24, 60, 60, 1000}),
         {65535, 65535, 65535, 65535, 65535, 65535, 65535, 65535});
    to.add(14, bad);
}

void maps(Story& to) {
    to.add(17, ByteWriter().u8(0).u16(1).u32(0xFF).u32(1).u32(3).u32(0x81).u8(0).u8(1).u8(0xFF));
    to.add(17,
           ByteWriter().u8(9).u16(9).u32(9).u32(9).u32(0x1C).u32(0xFFFFFFFF).u8(0x31).u8(9).u8(0));
    to.add(17, ByteWriter().u8(255).u16(255).u32(0).u32(0).u32(0).u32(0).u8(0x10).u8(0).u8(0));
}

void arrays(Story& to) {
    ByteWriter bytes;
    bytes.u8(1).u8(2).u8(3).u16(7).u32(2).u16(0xFFFF).u16(5);
    bytes.zero_terminated16(u"first").zero_terminated16(u"").text8("abcdef");
    bytes.u32(3).u32(0xFFFFFFFC);
    bytes.zero_terminated8("a").u32(0xA).zero_terminated8("b").u32(0xB).u8(9);
    to.add(18, bytes);
    ByteWriter none;
    none.u8(0).u8(0).u8(0).u16(0).u32(0).u16(0).u16(0).fill(6).u64(0).u8(9);
    to.add(18, none);
}

void messages(Story& to) {
    to.add(19, ByteWriter().zero_terminated16(u"Grete %2 & <Hans>").u32(1));
    to.add(20, ByteWriter().zero_terminated16(u"na\u00EFve").u32(42));
    to.add(20, ByteWriter().zero_terminated16(u"%%1936 %1 %n").u32(0));
}

} // namespace

Sample manifest_types() {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.session_name = u"Types";
    facts.file_name = u"C:\\Traces\\manifest-types.etl";
    facts.buffer_size = 0x2000;
    TraceBuilder trace(facts);
    Story story(trace.buffer());
    texts(story);
    integers(story);
    floats(story);
    binaries(story);
    identifiers(story);
    times(story);
    maps(story);
    arrays(story);
    messages(story);
    return {.name = "good/manifest-types",
            .about = "Every in and out type of manifests with values at their bounds; "
                     "tests/golden/manifest-types/types.man describes the events",
            .bytes = trace.build(),
            .events = 41,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64 EVENT32"};
}

} // namespace etl::test
