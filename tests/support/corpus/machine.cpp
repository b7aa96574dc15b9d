// What a kernel session tells about its machine, and events that need to be told.
#include "tests/support/corpus/corpus.hpp"
#include "tests/support/traces/kernel_records.hpp"

#include <array>

namespace etl::test {

namespace {

constexpr std::int64_t start = 1'000'000;        // the reference time of the session
constexpr std::int64_t millisecond = 10'000;     // in ticks of its clock
constexpr std::uint64_t nt = 0xFFFFF80000000000; // where images lie
constexpr std::uint64_t tea = 0x7FF600000000;
constexpr std::uint64_t recipe = 0xFFFFA00011110000; // a file object
constexpr std::uint64_t kernel_key = 0xFFFFC0000000A000;
constexpr std::uint64_t user_key = 0xFFFFC0000000B000;
constexpr std::uint32_t system_process = 4, kitchen = 1200;
constexpr std::uint32_t cook = 41;

constexpr std::int64_t at(std::int64_t milliseconds) {
    return start + milliseconds * millisecond;
}

void add(BufferBuilder& buffer, std::initializer_list<KernelRecord> records) {
    for (const KernelRecord& record : records) {
        record.add_to(buffer);
    }
}

void add_rundown(BufferBuilder& buffer) {
    add(buffer,
        {process_record(at(1), Life::rundown_at_start, system_process, "System", u"", 0),
         process_record(at(1), Life::rundown_at_start, kitchen, "kettle.exe", u"kettle.exe --boil"),
         thread_record(at(2), Life::rundown_at_start, kitchen, cook, tea + 0x1000),
         image_record(at(2), Life::rundown_at_start, 0, nt, 0x800000,
                      u"\\SystemRoot\\system32\\ntoskrnl.exe"),
         image_record(at(3), Life::rundown_at_start, kitchen, tea, 0x10000,
                      u"\\Device\\HarddiskVolume2\\Kitchen\\tea.dll"),
         drive_record(at(4), 0, 0x100000, 0x40000000, u"C:"),
         drive_record(at(4), 0, 0x50000000, 0x40000000, u"D:")});
}

/// A sample whose stack comes under keys, a read with its stack as it is, a DPC without a thread.
void add_first_events(BufferBuilder& buffer) {
    add(buffer, {sample_record(at(10), tea + 0x1234, cook),
                 stack_key_record(at(10) + 5, KeyPart::kernel, at(10), kitchen, cook, kernel_key),
                 stack_key_record(at(10) + 9, KeyPart::user, at(10), kitchen, cook, user_key),
                 disk_read_record(at(20), 0, 0x50001000, recipe, cook),
                 stack_record(at(20) + 5, at(20), kitchen, cook, {nt + 0x5000, nt + 0x6000}),
                 stack_record(at(20) + 7, at(20), kitchen, cook, {tea + 0x1000, 0x1}),
                 dpc_record(at(30), nt + 0x7000),
                 stack_record(at(30) + 5, at(30), kitchen, cook, {nt + 0x7000})});
}

/// The process ends; its number, its thread's, the place of its image and a key are given again.
void add_reuse(BufferBuilder& buffer) {
    add(buffer,
        {image_record(at(40), Life::end, kitchen, tea, 0x10000,
                      u"\\Device\\HarddiskVolume2\\Kitchen\\tea.dll"),
         thread_record(at(40), Life::end, kitchen, cook),
         process_record(at(41), Life::end, kitchen, "kettle.exe", u"kettle.exe --boil"),
         key_frames_record(at(42), KeyMoment::deleted, user_key, {tea + 0x1234, tea + 0x1000}),
         process_record(at(50), Life::start, kitchen, "cup \"blue\".exe", u"cup --fill")
             .by(system_process, 8),
         thread_record(at(50) + 1, Life::start, kitchen, cook).by(system_process, 8),
         image_record(at(51), Life::start, kitchen, tea, 0x10000,
                      u"\\Device\\HarddiskVolume2\\Kitchen\\milk.dll")
             .by(kitchen, cook),
         sample_record(at(60), tea + 0x1234, cook),
         stack_key_record(at(60) + 9, KeyPart::user, at(60), kitchen, cook, user_key)});
}

void add_end(BufferBuilder& buffer) {
    add(buffer,
        {process_record(at(90), Life::rundown_at_end, system_process, "System", u"", 0),
         file_name_record(at(91), 36, recipe, u"\\Device\\HarddiskVolume2\\Kitchen\\recipe.txt"),
         key_frames_record(at(92), KeyMoment::rundown, user_key, {tea + 0x2222}),
         key_frames_record(at(92), KeyMoment::rundown, kernel_key, {nt + 0x1000, nt + 0x2000})});
}

} // namespace

Sample machine_facts() {
    TraceBuilder trace({.buffer_size = 0x4000, .processors = 2, .reference_time = start});
    add_rundown(trace.buffer());
    add_first_events(trace.buffer({.processor = 1}));
    BufferBuilder& last = trace.buffer();
    add_reuse(last);
    ByteWriter stack;
    stack.u64(0).u64(tea + 0x10).u64(tea + 0x20);
    const std::array<format::ExtendedItem, 1> items{
        {{format::ItemType::stack_trace64, stack.view()}}};
    last.add(format::EventRecord{.process_id = kitchen,
                                 .thread_id = cook,
                                 .time = at(70),
                                 .provider = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490"),
                                 .descriptor = {.id = 9},
                                 .items = items});
    add_end(trace.buffer());
    return {.name = "good/machine-facts",
            .about =
                "A kernel session: processes, images, files, drives, and stacks of events, much "
                "of it told only at the end; numbers that are given again",
            .bytes = trace.build(),
            .events = 30,
            .buffers = 5,
            .warnings = 0,
            .kinds = "SYSTEM64 PERFINFO64 EVENT64"};
}

Sample process_activity() {
    constexpr std::uint32_t idle = 0, kettle = 1200, cup = 1300, nameless = 77;
    constexpr std::uint32_t boiler = 41, waiter = 51, unknown = 999;
    TraceBuilder trace({.buffer_size = 0x4000, .processors = 2, .reference_time = start});
    add(trace.buffer(), {process_record(at(1), Life::rundown_at_start, idle, "Idle", u"", 0),
                         process_record(at(1), Life::rundown_at_start, kettle, "kettle.exe"),
                         process_record(at(1), Life::rundown_at_start, cup, "cup.exe"),
                         thread_record(at(2), Life::rundown_at_start, kettle, boiler),
                         thread_record(at(2), Life::rundown_at_start, cup, waiter)});
    BufferBuilder& here = trace.buffer({.processor = 1});
    add(here,
        {switch_record(at(10), boiler, 0), sample_record(at(11), tea, boiler),
         disk_read_record(at(12), 0, 0, recipe, boiler), file_read_record(at(13), recipe, boiler),
         file_end_record(at(14)), hard_fault_record(at(15), boiler),
         virtual_alloc_record(at(16), kettle), tcp_send_record(at(17), kettle),
         tcp_send_record(at(18), kettle).by(cup, waiter), system_call_record(at(19), nt),
         system_call_record(at(20), nt).by(kettle, boiler),
         ready_record(at(21), waiter).by(kettle, boiler), switch_record(at(22), waiter, boiler),
         sample_record(at(23), tea, waiter), sample_record(at(24), tea, unknown),
         tcp_send_record(at(25), nameless), switch_record(at(26), 0, waiter)});
    here.add(format::EventRecord{.process_id = kettle,
                                 .thread_id = boiler,
                                 .time = at(27),
                                 .provider = *parse_guid("7c2f1d5e-3b1a-4e0f-9c55-0d7a61b2e490"),
                                 .descriptor = {.id = 9}});
    BufferBuilder& last = trace.buffer();
    add(last, {thread_record(at(30), Life::end, cup, waiter),
               process_record(at(30), Life::end, cup, "cup.exe"),
               process_record(at(40), Life::start, cup, "spoon.exe").by(kettle, boiler),
               thread_record(at(40), Life::start, cup, waiter).by(kettle, boiler),
               sample_record(at(41), tea, waiter)});
    return {.name = "good/process-activity",
            .about = "A kernel session: events that name their processes in the payload, by a "
                     "thread, in the header, or not at all",
            .bytes = trace.build(),
            .events = 29,
            .buffers = 4,
            .warnings = 0,
            .kinds = "SYSTEM64 PERFINFO64 EVENT64"};
}

} // namespace etl::test
