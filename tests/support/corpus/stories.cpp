#include <etl/format/kernel_group.hpp>
#include <etl/format/records.hpp>

#include "tests/support/corpus/corpus.hpp"
#include "tests/support/event_info_builder.hpp"
#include "tests/support/tracelogging_builder.hpp"

#include <limits>

namespace etl::test {

namespace {

// Derived from their names as TraceLogging and EventSource do it.
constexpr Guid signal_box = *parse_guid("2dbb6b84-efe0-5f9b-7aa3-ecbb9205c226");
constexpr Guid timetable = *parse_guid("2a360607-e3ab-5813-31ae-5fec2a8f84b2");
constexpr Guid every_type = *parse_guid("8eadb513-e868-51a0-9a2b-0b396af6746b");
// Chosen by hand.
constexpr Guid pump = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490");
constexpr Guid train_12 = *parse_guid("12000000-0000-4000-8000-000000000012");

constexpr std::uint8_t informational = 4, warning = 3;
constexpr std::int64_t second = 10'000'000;

constexpr std::string_view timetable_manifest =
    R"xml(<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events">
  <events xmlns="http://schemas.microsoft.com/win/2004/08/events">
<provider name="Example-Timetable" guid="{2a360607-e3ab-5813-31ae-5fec2a8f84b2}" resourceFileName="Example-Timetable" messageFileName="Example-Timetable" symbol="ExampleTimetable">
 <tasks>
  <task name="Departure" message="$(string.task_Departure)" value="65533"/>
 </tasks>
 <keywords>
  <keyword name="Passengers" message="$(string.keyword_Passengers)" mask="0x1"/>
 </keywords>
 <maps>
  <valueMap name="Platform">
   <map value="1" message="$(string.map_Platform1)"/>
   <map value="2" message="$(string.map_Platform2)"/>
  </valueMap>
 </maps>
 <events>
  <event value="1" version="0" level="win:Informational" symbol="Departure" task="Departure" keywords="Passengers" message="$(string.event_Departure)" template="DepartureArgs"/>
 </events>
 <templates>
  <template tid="DepartureArgs">
   <data name="train" inType="win:UnicodeString"/>
   <data name="platform" inType="win:UInt32" map="Platform"/>
   <data name="delayed" inType="win:Boolean"/>
   <data name="minutes" inType="win:Double"/>
  </template>
 </templates>
</provider>
  </events>
 </instrumentation>
 <localization>
  <resources culture="en-US">
   <stringTable>
    <string id="event_Departure" value="%1 leaves from %2, delayed: %3, by %4 minutes"/>
    <string id="keyword_Passengers" value="Passengers"/>
    <string id="map_Platform1" value="North"/>
    <string id="map_Platform2" value="South"/>
    <string id="task_Departure" value="Departure"/>
   </stringTable>
  </resources>
 </localization>
</instrumentationManifest>
)xml";

struct When {
    std::int64_t time = 0;
    std::uint8_t level = informational;
    std::uint8_t opcode = 0;
    Guid activity{};
};

void add(BufferBuilder& to, const When& when, const TraceLoggingEvent& event) {
    const auto traits = provider_traits("Example.SignalBox");
    const auto metadata = event.metadata();
    const std::array<format::ExtendedItem, 2> items{
        {{format::ItemType::provider_traits, traits},
         {format::ItemType::event_schema_tl, metadata}}};
    to.add(format::EventRecord{
        .process_id = 1200,
        .thread_id = 1204U + 4U * to.facts().processor,
        .time = when.time,
        .provider = signal_box,
        .descriptor = {.channel = 11, .level = when.level, .opcode = when.opcode, .keyword = 1},
        .activity = when.activity,
        .items = items,
        .payload = event.payload_bytes()});
}

void add_manifest(BufferBuilder& to, std::int64_t time) {
    for (const auto& chunk : manifest_chunks(timetable_manifest, 1500)) {
        to.add(format::EventRecord{.process_id = 1300,
                                   .thread_id = 1304,
                                   .time = time++,
                                   .provider = timetable,
                                   .descriptor = {.id = 0xFFFE,
                                                  .version = 1,
                                                  .opcode = 0xFE,
                                                  .task = 0xFFFE,
                                                  .keyword = 0x00FFFFFFFFFFFFFF},
                                   .payload = chunk});
    }
}

void add_departure(BufferBuilder& to, std::int64_t time, std::u16string_view train,
                   std::uint32_t platform, double late) {
    ByteWriter payload;
    payload.zero_terminated16(train).u32(platform).u32(late > 0 ? 1 : 0).value(late);
    to.add(format::EventRecord{.process_id = 1300,
                               .thread_id = 1304,
                               .time = time,
                               .provider = timetable,
                               .descriptor = {.id = 1,
                                              .level = informational,
                                              .task = 65533,
                                              .keyword = 0x0000F00000000001},
                               .payload = payload.view()});
}

// What happens at the levers, on processor 0.
void work_the_levers(BufferBuilder& to) {
    add(to, {.time = 1 * second},
        TraceLoggingEvent("ShiftStarts")
            .utf16("Signaller", u"Grete M\u00FCller")
            .u32("Lever frame", 24));
    TraceLoggingEvent approach("TrainApproaches");
    approach.ansi("Train", "IC 12").value({.name = "Track", .in = tl_in::u8}, std::uint8_t{2});
    approach.f32("SpeedKmh", 118.5F).f64("DistanceKm", 3.25);
    add(to, {.time = 5 * second, .opcode = 1, .activity = train_12}, approach);
    TraceLoggingEvent levers("LeversPulled");
    levers.variable_array({.name = "Levers", .in = tl_in::u16});
    levers.payload().u16(3).u16(7).u16(11).u16(12);
    levers.boolean("RouteLocked", true);
    add(to, {.time = 9 * second, .activity = train_12}, levers);
    TraceLoggingEvent passed("TrainPassed");
    passed.ansi("Train", "IC 12");
    passed.structure("Block", 2).utf8("From", "Sch\u00F6nau").utf8("To", "Bergheim");
    passed.payload(); // the members' values follow their definitions
    passed.filetime("Noted", story_start + 42 * second);
    add(to, {.time = 42 * second, .opcode = 2, .activity = train_12}, passed);
}

} // namespace

Sample first_steps() {
    TraceFacts facts;
    facts.reference_time = 0;
    facts.processors = 2;
    facts.session_name = u"First Steps";
    facts.file_name = u"C:\\Traces\\first-steps.etl";
    TraceBuilder trace(facts);
    work_the_levers(trace.buffer({.processor = 0, .time_stamp = 50 * second}));
    auto& outside = trace.buffer({.processor = 1, .time_stamp = 50 * second});
    add(outside, {.time = 7 * second, .level = warning},
        TraceLoggingEvent("CowOnTheLine").utf16("Colour", u"brown").u32("Cows", 1));
    outside.add(format::EventRecord{
        .flags = format::event_flag::string_only,
        .process_id = 1200,
        .thread_id = 1208,
        .time = 8 * second,
        .provider = signal_box,
        .descriptor = {.level = informational},
        .payload = ByteWriter().zero_terminated16(u"The cow has left. Carry on.").view()});
    add_departure(outside, 20 * second, u"RB 48", 2, 1.5); // before its manifest
    auto& later = trace.buffer({.processor = 1, .time_stamp = 50 * second});
    add_manifest(later, 21 * second);
    add_departure(later, 45 * second, u"IC 14", 1, 0);
    return {.name = "good/first-steps",
            .about =
                "A signal box on a quiet morning: TraceLogging events, an EventSource with its "
                "manifest, and a string",
            .bytes = trace.build(),
            .events = 11,
            .buffers = 4,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

namespace {

using Field = TraceLoggingEvent::Field;

// Scalars of each in type, with the values at their bounds.
TraceLoggingEvent scalars() {
    TraceLoggingEvent e("Scalars");
    e.field({.name = "null", .in = tl_in::null});
    e.utf16("utf16", u"\u20AC \U0001F682").ansi("ansi", "plain");
    e.value(Field{.name = "i8", .in = tl_in::i8}, std::int8_t{-128});
    e.value(Field{.name = "u8", .in = tl_in::u8}, std::uint8_t{255});
    e.value(Field{.name = "i16", .in = tl_in::i16}, std::int16_t{-32768});
    e.u16("u16", 65535).i32("i32", -2147483647 - 1).u32("u32", 4294967295U);
    e.value(Field{.name = "i64", .in = tl_in::i64}, std::numeric_limits<std::int64_t>::min());
    e.u64("u64", std::numeric_limits<std::uint64_t>::max());
    e.f32("f32", 0.1F).f64("f64", -2.5e-300).boolean("bool32", true);
    const std::array<std::byte, 4> bytes{std::byte{0xDE}, std::byte{0xAD}, std::byte{0xBE},
                                         std::byte{0xEF}};
    e.binary("binary", bytes);
    e.guid("guid", every_type).filetime("filetime", story_start + 1234567);
    e.field({.name = "systemtime", .in = tl_in::systemtime});
    e.payload().u16(2024).u16(5).u16(5).u16(17).u16(6).u16(30).u16(15).u16(125);
    e.field({.name = "sid", .in = tl_in::sid});
    e.payload().u8(1).u8(2).u8(0).u8(0).u8(0).u8(0).u8(0).u8(5).u32(32).u32(544);
    e.value(Field{.name = "hex32", .in = tl_in::hex32}, 0xBEEFU);
    e.value(Field{.name = "hex64", .in = tl_in::hex64}, std::uint64_t{0x7FF6'1234'5678});
    e.field({.name = "counted_utf16", .in = tl_in::counted_utf16});
    e.payload().u16(6).text16(u"cup");
    e.field({.name = "counted_ansi", .in = tl_in::counted_ansi});
    e.payload().u16(3).text8("mug");
    e.field({.name = "counted_binary", .in = tl_in::counted_binary});
    e.payload().u16(2).u16(0x0201);
    return e;
}

// Each out type over an in type that may have it.
TraceLoggingEvent out_types() {
    TraceLoggingEvent e("OutTypes");
    e.value(Field{"no_print", tl_in::u8, tl_out::no_print}, std::uint8_t{1});
    e.value(Field{"char8", tl_in::u8, tl_out::string}, std::uint8_t{'A'});
    e.value(Field{"char16", tl_in::u16, tl_out::string}, std::uint16_t{0x20AC});
    e.value(Field{"bool8", tl_in::u8, tl_out::boolean}, std::uint8_t{1});
    e.value(Field{"hex8", tl_in::u8, tl_out::hex}, std::uint8_t{0x0F});
    e.value(Field{"hex16", tl_in::u16, tl_out::hex}, std::uint16_t{0xABC});
    e.value(Field{"hex32", tl_in::i32, tl_out::hex}, std::int32_t{-1});
    e.value(Field{"hex64", tl_in::u64, tl_out::hex}, std::uint64_t{0});
    e.value(Field{"pid", tl_in::u32, tl_out::pid}, 1200U);
    e.value(Field{"tid", tl_in::u32, tl_out::tid}, 1204U);
    e.value(Field{"port", tl_in::u16, tl_out::port}, std::uint16_t{0xBB01}); // 443 on the wire
    e.value(Field{"ipv4", tl_in::u32, tl_out::ipv4}, 0x0100000AU);           // 10.0.0.1
    e.field({"ipv6", tl_in::binary, tl_out::ipv6});
    e.payload().u16(16).u8(0xFE).u8(0x80).fill(13).u8(1);
    e.field({"socket_address", tl_in::binary, tl_out::socket_address});
    e.payload().u16(16).u16(2).u8(0x01).u8(0xBB).u32(0x0100000A).fill(8);
    e.field({"xml", tl_in::utf16, tl_out::xml}).payload().zero_terminated16(u"<a b=\"1\"/>");
    e.field({"json", tl_in::ansi, tl_out::json}).payload().zero_terminated8("{\"a\":1}");
    e.field({"utf8", tl_in::ansi, tl_out::utf8}).payload().zero_terminated8("\u00FCber");
    e.value(Field{"win32_error", tl_in::u32, tl_out::win32_error}, 5U);
    e.value(Field{"ntstatus", tl_in::u32, tl_out::ntstatus}, 0xC0000034U);
    e.value(Field{"hresult", tl_in::i32, tl_out::hresult}, static_cast<std::int32_t>(0x80070005U));
    e.value(Field{"filetime", tl_in::i64, tl_out::filetime}, story_start);
    e.value(Field{"signed", tl_in::u32, tl_out::as_signed}, 0xFFFFFFFFU);
    e.value(Field{"unsigned", tl_in::i32, tl_out::as_unsigned}, std::int32_t{-1});
    e.value(Field{"code_pointer", tl_in::hex64, tl_out::code_pointer}, std::uint64_t{0x401000});
    e.value(Field{"date_time_utc", tl_in::filetime, tl_out::date_time_utc}, story_start);
    e.field({"pkcs7", tl_in::counted_binary, tl_out::pkcs7}).payload().u16(2).u16(0x8230);
    return e;
}

TraceLoggingEvent arrays_and_structs() {
    TraceLoggingEvent e("ArraysAndStructs", 0x0ABCDEF);
    e.fixed_array({.name = "fixed", .in = tl_in::u8}, 3);
    e.payload().u8(1).u8(2).u8(3);
    e.variable_array({.name = "variable", .in = tl_in::f32});
    e.payload().u16(2).value(0.5F).value(1.5F);
    e.variable_array({.name = "empty", .in = tl_in::u32});
    e.payload().u16(0);
    e.variable_array({.name = "strings", .in = tl_in::utf16});
    e.payload().u16(2).zero_terminated16(u"one").zero_terminated16(u"");
    e.variable_array({.name = "pids", .in = tl_in::u32, .out = tl_out::pid});
    e.payload().u16(2).u32(4).u32(8);
    e.structure("outer", 3);
    e.u16("first", 1);
    e.structure("inner", 1).field({.name = "deep", .in = tl_in::u8, .tag = 5}).payload().u8(2);
    e.u16("last", 3);
    e.structure_array("pairs", 2);
    e.field({.name = "key", .in = tl_in::ansi}).field({.name = "value", .in = tl_in::i32});
    e.payload().u16(2).zero_terminated8("a").value(std::int32_t{1});
    e.payload().zero_terminated8("b").value(std::int32_t{-2});
    e.value(Field{.name = "tagged", .in = tl_in::u32, .tag = 0x0FFFFFFF}, 7U);
    return e;
}

} // namespace

Sample tracelogging_types() {
    TraceFacts facts;
    facts.reference_time = 0;
    TraceBuilder trace(facts);
    auto& buffer = trace.buffer();
    std::int64_t time = second;
    for (const TraceLoggingEvent& event : {scalars(), out_types(), arrays_and_structs()}) {
        const auto traits = provider_traits("Example.EveryType", {.group = pump});
        const auto metadata = event.metadata();
        const std::array<format::ExtendedItem, 2> items{
            {{format::ItemType::provider_traits, traits},
             {format::ItemType::event_schema_tl, metadata}}};
        for (const auto width : {format::Width::bits64, format::Width::bits32}) {
            buffer.add(format::EventRecord{.width = width,
                                           .process_id = 77,
                                           .thread_id = 78,
                                           .time = time,
                                           .provider = every_type,
                                           .descriptor = {.channel = 11, .level = 5},
                                           .items = items,
                                           .payload = event.payload_bytes()});
            time += second;
        }
    }
    return {.name = "good/tracelogging-types",
            .about = "Every in and out type of TraceLogging, arrays, nested structures, tags; each "
                     "event from a 64-bit and from a 32-bit process",
            .bytes = trace.build(),
            .events = 7,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64 EVENT32"};
}

Sample merged_event_info() {
    TraceFacts facts;
    facts.lineage = trace::Lineage::relogger;
    facts.reference_time = 0;
    facts.session_name = u"Relogger";
    facts.file_name = u"[multiple files]";
    TraceBuilder trace(facts);
    EventInfo info{.provider = pump,
                   .id = 3,
                   .version = 1,
                   .level = warning,
                   .opcode = 10,
                   .task = 1,
                   .keyword = 0x10,
                   .provider_name = u"Example-Pump",
                   .level_name = u"Warning",
                   .task_name = u"Pressure",
                   .opcode_name = u"Drop",
                   .message = u"Pressure fell to %1 bar at valve %2"};
    info.keyword_names = {u"Hydraulics"};
    info.properties = {{.name = u"Bar", .in = 11, .out = 11},
                       {.name = u"Valve", .in = 1, .out = 1},
                       {.name = u"Codes", .in = 6, .out = 17, .flags = 0x20, .count = 2}};
    const auto blob = event_info(info);
    ByteWriter payload;
    payload.value(2.5F).zero_terminated16(u"main").u16(0x10).u16(0xFF);
    trace.buffer()
        .add(format::FullRecord{.opcode = 32,
                                .process_id = 500,
                                .thread_id = 504,
                                .time = second,
                                .event_class = format::event_metadata_guid,
                                .payload = blob})
        .add(format::EventRecord{
            .process_id = 500,
            .thread_id = 504,
            .time = second,
            .provider = pump,
            .descriptor =
                {.id = 3, .version = 1, .level = warning, .opcode = 10, .task = 1, .keyword = 0x10},
            .payload = payload.view()});
    return {.name = "good/merged-event-info",
            .about = "What a merge embeds: TRACE_EVENT_INFO in front of the event it describes",
            .bytes = trace.build(),
            .events = 3,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 FULL64 EVENT64"};
}

} // namespace etl::test
