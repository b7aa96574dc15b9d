// The sample good/wpp-messages: every item of WPP and the notations of printf. The messages of
// Pump.c are described by corpus/good/wpp-messages.tmf, those of Valve.cpp by wpp-messages.pdb,
// which comes from here.
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/images/pdb_builder.hpp"

#include <bit>

namespace etl::test {

namespace {

constexpr Guid pump_c = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f01");
constexpr Guid valve_cpp = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f02");
constexpr Guid nobody_knows = *parse_guid("7d3b9a60-52c1-4f8e-a0d7-19c6b2e45fff");
constexpr std::int64_t second = 10'000'000;
constexpr std::int64_t story_time = 1'000'000; // raw, of the session's start

/// One message after another, a second apart.
class Story {
public:
    explicit Story(BufferBuilder& to) : to_(to) {}

    void add(const Guid& guid, std::uint16_t number, const ByteWriter& arguments,
             std::optional<std::uint32_t> sequence = std::nullopt) {
        time_ += second;
        to_.add(format::MessageRecord{.number = number,
                                      .width = format::Width::bits64,
                                      .sequence = sequence,
                                      .guid = guid,
                                      .time = time_,
                                      .system_info = format::ThreadAndProcess{0xD60, 0x888},
                                      .payload = arguments.view()});
    }

private:
    BufferBuilder& to_;
    std::int64_t time_ = story_time;
};

void numbers(Story& to) {
    ByteWriter start;
    start.u32(0xFFFFFFFEU).u32(4'000'000'000U).u32(0xBEEF).u8('A');
    to.add(pump_c, 10, start);
    ByteWriter small;
    small.u8(0xFF).u8(0xFF).u8(0x0A).u16(0xFFFE).u16(0xFFFE).u16(0xAB).u32(8);
    to.add(pump_c, 11, small);
    ByteWriter quads;
    quads.u64(~std::uint64_t{0}).u64(~std::uint64_t{0}).u64(0xABCDEF0123).u64(0xABCDEF0123);
    quads.u64(64).u32(0xFACE).u64(0xFFFFFA80'0143FA80U);
    to.add(pump_c, 12, quads);
    ByteWriter shapes;
    shapes.u32(42).u32(255).zero_terminated8("pump").zero_terminated16(u"\u8336\u58F6\u6CF5");
    to.add(pump_c, 13, shapes);
    ByteWriter reals;
    for (const double value : {0.1, 123.456, 12345.678, -0.000012345}) {
        reals.u64(std::bit_cast<std::uint64_t>(value));
    }
    to.add(pump_c, 14, reals);
}

void texts(Story& to) {
    ByteWriter texts;
    texts.zero_terminated8("caf\xE9").zero_terminated16(u"th\u00E9 \U0001F375");
    texts.zero_terminated8("line\r\n").zero_terminated16(u"wide line\n");
    texts.u16(3).text8("cup").u16(6).text16(u"pot");
    texts.zero_terminated8("two\nlines").text8("PuMp");
    to.add(pump_c, 15, texts);
    ByteWriter absent; // what WPP logs in place of a null pointer
    absent.zero_terminated8("NULL").zero_terminated16(u"<NULL>").zero_terminated8("");
    absent.zero_terminated16(u"").u16(0).u16(0).zero_terminated8("").text8("x").fill(3);
    to.add(pump_c, 15, absent);
}

void identities(Story& to) {
    ByteWriter ids;
    ids.guid(pump_c).guid(valve_cpp);
    ids.u8(1).u8(1).fill(5).u8(5).u32(18); // S-1-5-18
    to.add(pump_c, 16, ids);
    ByteWriter codes;
    codes.u32(0xC0000034).u32(0xC0DE0001).u32(0x80070005).u32(5);
    to.add(pump_c, 17, codes);
    ByteWriter net;
    net.u8(10).u8(0).u8(0).u8(1).u8(0x01).u8(0xBB); // port 443, in network order
    net.u8(0xFE).u8(0x80).fill(13).u8(1);
    net.u8(0x00).u8(0x1A).u8(0x2B).u8(0x3C).u8(0x4D).u8(0x5E);
    to.add(pump_c, 18, net);
    ByteWriter times;
    times.u64(static_cast<std::uint64_t>(story_start + 1'234'567)).u64(93'784'005);
    times.u64(static_cast<std::uint64_t>(-1500)).u64(86'400'000);
    to.add(pump_c, 19, times);
    ByteWriter lists;
    lists.u8(2).u16(6).u32(1).u32(9).u8(0x05).u16(0x0003).u32(0x14).u32(7);
    lists.u16(4).u8(0xDE).u8(0xAD).u8(0xBE).u8(0xEF);
    to.add(pump_c, 20, lists);
}

/// Formats over several lines, the event's own facts, and payloads that do not fit.
void oddities(Story& to) {
    ByteWriter what;
    what.zero_terminated8("water");
    to.add(pump_c, 21, what);
    ByteWriter self;
    self.u32(7);
    to.add(pump_c, 22, self, 4711);
    ByteWriter fancy;
    fancy.u32(1).u64(2).u32(3);
    to.add(pump_c, 23, fancy);
    to.add(pump_c, 24, {});
    ByteWriter cut; // short of two arguments
    cut.u32(1).u32(2);
    to.add(pump_c, 10, cut);
    ByteWriter more;
    more.u32(0xDEADBEEF);
    to.add(pump_c, 24, more);
    ByteWriter wrong; // a count beyond the end
    wrong.zero_terminated8("a").zero_terminated16(u"b").zero_terminated8("c");
    wrong.zero_terminated16(u"d").u16(999).text8("e");
    to.add(pump_c, 15, wrong);
}

void strangers(Story& to, BufferBuilder& buffer) {
    ByteWriter valve;
    valve.u32(3).u32(2).u32(0x5);
    to.add(valve_cpp, 10, valve);
    ByteWriter unknown;
    unknown.u32(0x01020304);
    to.add(nobody_knows, 12, unknown);
    buffer.add(format::MessageRecord{.number = 13,
                                     .width = format::Width::bits64,
                                     .component_id = 7,
                                     .time = story_time + 60 * second,
                                     .payload = unknown.view()});
}

} // namespace

Sample wpp_messages() {
    TraceBuilder trace({.session_name = u"Pump", .file_name = u"C:\\Traces\\pump.etl"});
    BufferBuilder& buffer = trace.buffer();
    Story story(buffer);
    numbers(story);
    texts(story);
    identities(story);
    oddities(story);
    strangers(story, buffer);
    return {.name = "good/wpp-messages",
            .about = "WPP messages with every item and notation; some unknown, some that do not "
                     "fit their format",
            .bytes = trace.build(),
            .events = 23,
            .buffers = 2,
            .kinds = "SYSTEM64 MESSAGE"};
}

Attachment wpp_pdb() {
    PdbBuilder pdb;
    pdb.annotation({"TMC:", "7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f00", "PumpTrace", "TRACE_START",
                    "TRACE_NUMBERS"});
    pdb.begin_function("Valve::Open");
    pdb.annotation({"TMF:", "7d3b9a60-52c1-4f8e-a0d7-19c6b2e45f02 pumpdrv // SRC=Valve.cpp MJ= MN=",
                    "#typev Valve_cpp7 10 \"%0[%!FUNC!] valve %10!d! is %11!s!, %12!s!\" //   "
                    "LEVEL=TRACE_LEVEL_VERBOSE FLAGS=TRACE_START",
                    "{", "m_number, ItemLong -- 10", "m_state, ItemEnum(VALVE_STATE) -- 11",
                    "m_flags, ItemFlagsEnum(VALVE_FLAGS) -- 12", "}"});
    pdb.end_function();
    pdb.enumeration("VALVE_STATE", {{"ValveShut", 0}, {"ValveOpening", 1}, {"ValveOpen", 2}});
    pdb.enumeration("VALVE_FLAGS", {{"Heated", 1}, {"Leaking", 4}});
    return {"good/wpp-messages.pdb", pdb.build()};
}

} // namespace etl::test
