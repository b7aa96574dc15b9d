#include "format/kernel_group.hpp"
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/corpus/ten_buffers.hpp"

namespace etl::test {

namespace {

constexpr Guid parent = *parse_guid("5d4e2f60-1b2c-4d3e-8f90-a1b2c3d4e5f6");

Sample every_record_kind() {
    TraceFacts facts = facts_of(u"Every Kind");
    TraceBuilder trace(facts);
    auto& b = trace.buffer();
    std::int64_t time = facts.reference_time;
    const auto next = [&] { return time += 1'000; };
    const std::array<std::uint64_t, 2> counters{1'000, 2'000};
    const Image eight(8, std::byte{0x11});
    for (const auto width : {format::Width::bits32, format::Width::bits64}) {
        b.add(format::SystemRecord{.width = width,
                                   .version = 2,
                                   .hook_id = 0x0E20, // Pool
                                   .process_id = 4,
                                   .thread_id = 8,
                                   .time = next(),
                                   .kernel_time = 3,
                                   .user_time = 1,
                                   .payload = eight});
        b.add(format::CompactRecord{.width = width,
                                    .hook_id = 0x1540, // Dpc
                                    .process_id = 4,
                                    .thread_id = 8,
                                    .time = next(),
                                    .payload = eight});
        b.add(format::PerfinfoRecord{.width = width,
                                     .hook_id = 0x0F7F,
                                     .time = next(),
                                     .counters = {.pebs_index = 7, .values = counters},
                                     .payload = eight});
        b.add(format::FullRecord{.width = width,
                                 .opcode = 1,
                                 .level = 4,
                                 .version = 1,
                                 .process_id = 100,
                                 .thread_id = 104,
                                 .time = next(),
                                 .event_class = numbers_provider,
                                 .kernel_time = 5,
                                 .user_time = 6,
                                 .payload = eight});
        b.add(format::InstanceRecord{.width = width,
                                     .opcode = 2,
                                     .process_id = 100,
                                     .thread_id = 104,
                                     .time = next(),
                                     .event_class = numbers_provider,
                                     .instance_id = 12,
                                     .parent_instance_id = 11,
                                     .parent_class = parent,
                                     .payload = eight});
        b.add(format::EventRecord{.width = width,
                                  .process_id = 100,
                                  .thread_id = 104,
                                  .time = next(),
                                  .provider = numbers_provider,
                                  .descriptor = {.id = 20, .level = 4},
                                  .kernel_time = 5,
                                  .user_time = 6,
                                  .payload = eight});
    }
    b.add(format::MessageRecord{.number = 10,
                                .width = format::Width::bits64,
                                .sequence = 1,
                                .guid = numbers_provider,
                                .time = next(),
                                .system_info = format::ThreadAndProcess{104, 100},
                                .payload = eight});
    b.add(format::MessageRecord{.number = 11, .component_id = 5, .payload = eight}); // no stamp
    b.add(format::WnodeRecord{.time = next(), .guid = numbers_provider, .payload = eight});
    b.add(format::WnodeRecord{.form = format::WnodeRecord::Form::marked,
                              .time = next(),
                              .guid = numbers_provider,
                              .payload = eight});
    b.add(format::TimedRecord{.event_id = 3, .time = next(), .payload = eight});
    b.add(format::ErrorRecord{.payload = eight});
    b.add(format::Ulong32Record{.value = 1, .payload = eight});
    b.add(format::Ulong32Record{.value = 2, .time = next(), .payload = eight});
    return {.name = "good/every-record-kind",
            .about =
                "One record of each kind and width, with performance counters where they may be",
            .bytes = trace.build(),
            .events = 21,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM32 SYSTEM64 COMPACT32 COMPACT64 PERFINFO32 PERFINFO64 FULL32 FULL64 "
                     "INSTANCE32 INSTANCE64 EVENT32 EVENT64 MESSAGE WNODE TIMED ERROR ULONG32"};
}

Sample clock(const char* name, const char* about, format::ClockType type, std::int64_t reference,
             std::int64_t ticks_per_second) {
    TraceFacts facts = facts_of(u"Clock");
    facts.end_time = story_start + 100'001 * Filetime::per_second;
    facts.clock = type;
    facts.reference_time = reference;
    facts.cpu_speed_mhz = 2'500;
    facts.perf_freq = type == format::ClockType::qpc ? ticks_per_second : 10'000'000;
    TraceBuilder trace(facts);
    auto& buffer = trace.buffer();
    buffer.add(numbered(reference + ticks_per_second, 1));               // one second later
    buffer.add(numbered(reference + ticks_per_second * 100'000 + 1, 2)); // 27.8 hours and a tick
    buffer.add(numbered(reference - ticks_per_second, 3));               // before the session
    return {.name = name,
            .about = about,
            .bytes = trace.build(),
            .events = 4,
            .buffers = 2,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

Sample circular() {
    TraceFacts facts = facts_of(u"Circular");
    facts.mode = format::log_mode::circular;
    return ten("good/circular-wrapped",
               "A circular file that went round: its oldest buffer is not the first",
               ten_buffers(facts).wrap(6).build());
}

Sample appended() {
    TraceFacts facts = facts_of(u"Appended");
    facts.mode = format::log_mode::sequential | format::log_mode::append;
    facts.clock = format::ClockType::system_time;
    facts.reference_time = story_start;
    TraceBuilder trace = ten_buffers(facts);
    trace.begin_run();
    trace.buffer({.processor = 0}).add(numbered(story_start + 20'000, 11));
    trace.buffer({.processor = 1}).add(numbered(story_start + 21'000, 12));
    return {.name = "good/appended",
            .about = "A session that was started again on its file: sequence numbers start over",
            .bytes = trace.build(),
            .events = 23,
            .buffers = 13,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

Sample disordered() {
    TraceFacts facts = facts_of(u"Disordered");
    facts.processors = 2;
    TraceBuilder trace(facts);
    const std::int64_t zero = facts.reference_time;
    trace.buffer({.processor = 1}).add(numbered(zero + 30, 3)).add(numbered(zero + 10, 1));
    auto& second = trace.buffer({.processor = 1});
    second.add(format::MessageRecord{.number = 9, .guid = numbers_provider}); // no stamp of its own
    second.add(numbered(zero + 20, 2)).add(numbered(zero + 60, 6));
    trace.buffer({.processor = 0})
        .add(numbered(zero + 30, 30)) // a tie: the lower processor comes first
        .add(numbered(zero - 5, 0))
        .add(numbered(zero + 40, 4));
    return {.name = "good/disordered",
            .about = "Events out of order within a buffer and across two, a tie, one before the "
                     "header, one without a stamp",
            .bytes = trace.build(),
            .events = 9,
            .buffers = 4,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64 MESSAGE"};
}

/// Two processors, one of which is busy, and a clock that loses an hour in the middle.
Sample clock_set_back() {
    TraceFacts facts = facts_of(u"Clock set back");
    facts.processors = 2;
    facts.clock = format::ClockType::system_time;
    facts.reference_time = story_start;
    TraceBuilder trace(facts);
    constexpr std::int64_t hour = 3600 * Filetime::per_second;
    std::int64_t clock = story_start;
    std::uint16_t id = 0;
    const auto next = [&] { return numbered(clock += 10 * Filetime::per_second, ++id); };
    const auto buffer = [&](std::uint16_t processor, auto... events) {
        auto& made = trace.buffer({.processor = processor, .time_stamp = clock});
        (made.add(events), ...);
    };
    for (int i = 0; i < 2; ++i) {
        const auto first = next();
        const auto second = next();
        buffer(0, first, second);
    }
    const auto before = next();
    const auto before_elsewhere = next();
    clock -= hour;
    const auto after = next();
    buffer(0, before, after); // across it
    const auto after_elsewhere = next();
    buffer(1, before_elsewhere, after_elsewhere);
    for (int i = 0; i < 2; ++i) {
        const auto first = next();
        const auto second = next();
        buffer(0, first, second);
    }
    return {.name = "good/clock-set-back",
            .about = "The clock was set back by an hour while two processors recorded",
            .bytes = trace.build(),
            .events = 13,
            .buffers = 7,
            .warnings = 0,
            .kinds = "SYSTEM64 EVENT64"};
}

Sample windows7() {
    TraceFacts facts = facts_of(u"Windows 7", trace::Lineage::windows7);
    facts.windows_major = 6;
    facts.windows_minor = 1;
    facts.build = 7601;
    facts.pointer_size = 4;
    TraceBuilder trace = ten_buffers(facts);
    trace.header_buffer().add(format::SystemRecord{
        .width = format::Width::bits32, .hook_id = 0x0008, .time = facts.reference_time});
    Sample sample = ten("good/windows7-32bit",
                        "Headers as 32-bit Windows 7 writes them: alignment byte behind the "
                        "processor, SavedOffset 0 in the header buffer",
                        trace.build());
    sample.events = 22;
    sample.kinds = "SYSTEM32 EVENT64";
    return sample;
}

Sample compressed(const char* name, codec::Format format) {
    Sample sample =
        ten(name, "Buffers compressed one by one; they lie at odd offsets",
            ten_buffers(facts_of(u"Relogger", trace::Lineage::relogger), format).build());
    return sample;
}

} // namespace

std::vector<Sample> shapes() {
    std::vector<Sample> samples{
        every_record_kind(),
        clock("good/clock-qpc", "Time stamps of a performance counter at 3.579545 MHz",
              format::ClockType::qpc, 123'456'789, 3'579'545),
        clock("good/clock-system-time", "Time stamps that are FILETIMEs",
              format::ClockType::system_time, story_start, 10'000'000),
        clock("good/clock-cycles", "Time stamps in cycles of a processor of 2500 MHz",
              format::ClockType::cpu_cycles, 987'654'321'000, 2'500'000'000),
        circular(),
        appended(),
        disordered(),
        clock_set_back(),
        windows7(),
        compressed("good/compressed-xpress", codec::Format::xpress),
        compressed("good/compressed-xpress-huffman", codec::Format::xpress_huffman),
        compressed("good/compressed-lznt1", codec::Format::lznt1),
    };
    for (Sample& sample : damaged()) {
        samples.push_back(std::move(sample));
    }
    return samples;
}

} // namespace etl::test
