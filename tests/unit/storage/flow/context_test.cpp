#include "flow/context.hpp"
#include "format/kernel_group.hpp"
#include "tests/support/traces/kernel_records.hpp"
#include "tests/support/traces/one_event.hpp"

#include <gtest/gtest.h>

namespace etl::flow::context_test {
namespace {

using namespace literals;
using test::event_of;

Context of_hook(std::uint16_t hook_id) {
    const Context context = context_of(event_of(format::PerfinfoRecord{.hook_id = hook_id})->event);
    EXPECT_EQ(context_of(event_of(format::SystemRecord{.hook_id = hook_id})->event), context);
    EXPECT_EQ(context_of(event_of(format::CompactRecord{.width = format::Width::bits32,
                                                        .hook_id = hook_id})
                             ->event),
              context);
    return context;
}

Context of_class(const Guid& guid, std::uint8_t type) {
    return context_of(event_of(format::FullRecord{.opcode = type, .event_class = guid})->event);
}

Context of_event(const Guid& provider, std::uint16_t id) {
    return context_of(
        event_of(format::EventRecord{.provider = provider, .descriptor = {.id = id}})->event);
}

Context of_chunk(format::EventRecord record, std::initializer_list<unsigned> payload) {
    std::vector<std::byte> bytes;
    for (const unsigned value : payload) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    record.payload = bytes;
    return context_of(event_of(record)->event);
}

struct HookCase {
    std::uint16_t hook_id;
    Context context;
};

TEST(Context, OfKernelRecordsIsToldByTheirHook) {
    constexpr HookCase cases[] = {
        {0x0000, Context::header},                            // log file header
        {0x0005, Context::header},                            // its extension
        {0x0020, Context::header},                            // group masks
        {0x0050, Context::header},                            // partition
        {0x0052, Context::header},  {0x0040, Context::image}, // DbgIdRSDS
        {0x0301, Context::process}, {0x0302, Context::process}, {0x0303, Context::process},
        {0x0304, Context::process}, {0x0327, Context::process}, {0x030A, Context::image},
        {0x0320, Context::none}, // counters of a process that ends
        {0x0400, Context::file},    {0x0420, Context::file},    {0x0423, Context::file},
        {0x0424, Context::file},    {0x0440, Context::none}, // FileIo/Create
        {0x0501, Context::process}, {0x0504, Context::process}, {0x0548, Context::process},
        {0x0524, Context::none}, // CSwitch
        {0x0B0A, Context::system},  {0x0B0C, Context::system},  {0x0BFF, Context::system},
        {0x0F2E, Context::none}, // SampleProf
        {0x0F49, Context::system},  {0x1402, Context::image},   {0x1403, Context::image},
        {0x1404, Context::image},   {0x1421, Context::image},   {0x1480, Context::none},
        {0x1820, Context::none}, // a stack is none: it goes with its event
        {0x1822, Context::stack},   {0x1823, Context::stack},   {0x1824, Context::stack},
        {0x1825, Context::none},    {0x1F00, Context::none},    {0x2000, Context::none},
        {0xFFFF, Context::none},
    };
    for (const HookCase& one : cases) {
        EXPECT_EQ(of_hook(one.hook_id), one.context) << std::hex << one.hook_id;
    }
}

TEST(Context, OfKernelClassesUnderFullHeadersIsTheSame) {
    EXPECT_EQ(of_class("3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c"_guid, 1), Context::process);
    EXPECT_EQ(of_class("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid, 3), Context::process);
    EXPECT_EQ(of_class("3d6fa8d1-fe05-11d0-9dda-00c04fd7ba7c"_guid, 36), Context::none);
    EXPECT_EQ(of_class("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"_guid, 10), Context::image);
    EXPECT_EQ(of_class("2cb15d1d-5fc1-11d2-abe1-00a0c911f518"_guid, 2), Context::image);
    EXPECT_EQ(of_class("90cbdc39-4a3e-11d1-84f4-0000f80464e3"_guid, 0), Context::file);
    EXPECT_EQ(of_class("01853a65-418f-4f36-aefc-dc0f1d2fd235"_guid, 12), Context::system);
    EXPECT_EQ(of_class("def2fe46-7bd6-4b80-bd94-f57fe20d0ce3"_guid, 36), Context::stack);
    EXPECT_EQ(of_class(format::event_trace_guid, 5), Context::header);
    EXPECT_EQ(of_class("12345678-fe05-11d0-9dda-00c04fd7ba7c"_guid, 1), Context::none);
}

TEST(Context, IsWhatAMergeAdds) {
    constexpr Guid image_id = "b3e675d7-2554-4f18-830b-2762732560de"_guid;
    constexpr Guid system_ex = "9b79ee91-b5fd-41c0-a243-4248e266e9d0"_guid;
    EXPECT_EQ(of_class(image_id, 0), Context::image);
    EXPECT_EQ(of_class(image_id, 36), Context::image);
    EXPECT_EQ(of_class(system_ex, 32), Context::header);
    EXPECT_EQ(of_class(system_ex, 33), Context::system);
    EXPECT_EQ(of_class(system_ex, 35), Context::file);
    EXPECT_EQ(of_class(system_ex, 36), Context::system);
    EXPECT_EQ(of_class(format::event_metadata_guid, 32), Context::schema);
    EXPECT_EQ(of_event(format::event_metadata_guid, 0), Context::schema);
}

TEST(Context, OfEventsIsThatOfKernelProvidersAndRuntimes) {
    constexpr Guid process = "22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"_guid;
    constexpr Guid file = "edd08927-9cc4-4e65-b970-c2560fb5c289"_guid;
    constexpr Guid runtime = "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"_guid;
    constexpr Guid rundown = "a669021c-c450-4609-a035-5af59af4df18"_guid;
    EXPECT_EQ(of_event(process, 1), Context::process);
    EXPECT_EQ(of_event(process, 4), Context::process);
    EXPECT_EQ(of_event(process, 15), Context::process);
    EXPECT_EQ(of_event(process, 5), Context::image);
    EXPECT_EQ(of_event(process, 6), Context::image);
    EXPECT_EQ(of_event(process, 11), Context::none);
    EXPECT_EQ(of_event(file, 10), Context::file);
    EXPECT_EQ(of_event(file, 12), Context::none);
    EXPECT_EQ(of_event(runtime, 152), Context::image);
    EXPECT_EQ(of_event(runtime, 143), Context::image);
    EXPECT_EQ(of_event(runtime, 1), Context::none); // a garbage collection
    EXPECT_EQ(of_event(rundown, 153), Context::image);
    EXPECT_EQ(of_event(rundown, 144), Context::image);
    EXPECT_EQ(of_event(rundown, 159), Context::none);
    EXPECT_EQ(of_event("22fb2cd6-0000-0000-0000-000000000000"_guid, 1), Context::none);
}

TEST(Context, OfManifestChunksIsToldByTheirPayload) {
    const format::EventRecord chunk{.descriptor = {.id = 0xFFFE, .opcode = 0xFE, .task = 0xFFFE}};
    EXPECT_EQ(of_chunk(chunk, {1, 1, 0, 0x5B, 1, 0, 0, 0, '<'}), Context::schema);
    EXPECT_EQ(of_chunk(chunk, {1, 1, 0, 0x5C, 1, 0, 0, 0, '<'}), Context::none);
    EXPECT_EQ(of_chunk(chunk, {1, 1, 0, 0x5B, 1, 0, 0}), Context::none);
    const format::EventRecord other{.descriptor = {.id = 0xFFFE, .opcode = 1}};
    EXPECT_EQ(of_chunk(other, {1, 1, 0, 0x5B, 1, 0, 0, 0, '<'}), Context::none);
}

TEST(Context, OfOtherKindsOfRecordIsNone) {
    EXPECT_EQ(context_of(event_of(format::MessageRecord{.number = 10})->event), Context::none);
    EXPECT_EQ(context_of(event_of(format::TimedRecord{})->event), Context::none);
    const std::vector<std::byte> rest(4);
    EXPECT_EQ(context_of(event_of(format::ErrorRecord{.payload = rest})->event), Context::none);
    EXPECT_EQ(context_of(event_of(format::WnodeRecord{})->event), Context::none);
}

TEST(Context, HasAName) {
    EXPECT_EQ(name(Context::none), "");
    EXPECT_EQ(name(Context::header), "header");
    EXPECT_EQ(name(Context::stack), "stack");
}

/// The record where a BufferBuilder would have it.
struct Taker {
    std::unique_ptr<test::OneEvent> event;

    template <typename Record>
    void add(const Record& record) {
        event = event_of(record);
    }
};

std::optional<StackTarget> stack_target(const test::KernelRecord& record) {
    Taker taker;
    record.add_to(taker);
    return flow::stack_target(taker.event->event);
}

TEST(StackTarget, TellsTimeProcessAndThreadOfTheEvent) {
    for (const auto& record :
         {test::stack_record(20, 17, 100, 101, {1, 2}),
          test::stack_key_record(20, test::KeyPart::kernel, 17, 100, 101, 0xABC),
          test::stack_key_record(20, test::KeyPart::user, 17, 100, 101, 0xABC)}) {
        const auto stack = stack_target(record);
        ASSERT_TRUE(stack);
        EXPECT_EQ(stack->time, 17);
        EXPECT_EQ(stack->process_id, 100U);
        EXPECT_EQ(stack->thread_id, 101U);
    }
}

TEST(StackTarget, IsNothingForOtherRecords) {
    EXPECT_FALSE(
        stack_target(test::key_frames_record(20, test::KeyMoment::rundown, 0xABC, {1, 2})));
    EXPECT_FALSE(stack_target(test::disk_read_record(20, 0, 0, 0, 1)));
    EXPECT_FALSE(
        flow::stack_target(event_of(format::EventRecord{.descriptor = {.id = 32}})->event));
}

TEST(StackTarget, IsNothingWhereThePayloadIsTooShort) {
    auto record = test::stack_record(20, 17, 100, 101, {});
    EXPECT_TRUE(stack_target(record));
    record.payload.pop_back();
    EXPECT_FALSE(stack_target(record));
}

TEST(LogfileHeader, IsASystemRecordWithHook0) {
    EXPECT_TRUE(is_logfile_header(event_of(format::SystemRecord{.hook_id = 0})->event));
    EXPECT_FALSE(is_logfile_header(event_of(format::SystemRecord{.hook_id = 5})->event));
    EXPECT_FALSE(is_logfile_header(event_of(format::PerfinfoRecord{.hook_id = 0})->event));
    EXPECT_FALSE(is_logfile_header(event_of(format::EventRecord{})->event));
}

TEST(StackItems, TellMatchAndKey) {
    using format::ItemType;
    const auto item = [](ItemType type, Bytes data) {
        return format::ExtendedItem{.type = type, .data = data};
    };
    ByteWriter stack;
    stack.value(std::int64_t{17}).u64(0x1'0000'0ABC);
    const std::array items{item(ItemType::stack_trace64, stack.view()),
                           item(ItemType::sid, stack.view()),
                           item(ItemType::stack_key32, stack.view()),
                           item(ItemType::stack_key64, stack.view()),
                           item(ItemType::stack_key64, stack.view().first(8)),
                           item(ItemType::stack_trace32, stack.view().first(7))};
    const auto made = event_of(format::EventRecord{.items = items});
    StackItems stacks(read_header(made->event));
    StackItem found;
    std::vector<std::optional<std::uint64_t>> keys;
    while (stacks.next(found)) {
        EXPECT_EQ(found.match, 17);
        EXPECT_EQ(load_le<std::int64_t>(found.match_bytes.data()), 17);
        keys.push_back(found.key);
    }
    const std::vector<std::optional<std::uint64_t>> expected{std::nullopt, 0xABC, 0x1'0000'0ABC,
                                                             std::nullopt};
    EXPECT_EQ(keys, expected);
}

} // namespace
} // namespace etl::flow::context_test
