#include "format/kernel_group.hpp"
#include "format/records.hpp"
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/traces/event_info_builder.hpp"
#include "tests/support/traces/tracelogging_builder.hpp"

namespace etl::test {

namespace {

// Derived from their names as TraceLogging and EventSource do it.
constexpr Guid signal_box = *parse_guid("2dbb6b84-efe0-5f9b-7aa3-ecbb9205c226");
constexpr Guid timetable = *parse_guid("2a360607-e3ab-5813-31ae-5fec2a8f84b2");
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
