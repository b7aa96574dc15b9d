// Fields of fixed places, set in records of every kind.
#include "flow/event.hpp"
#include "format/encode.hpp"
#include "format/records.hpp"
#include "format/set_field.hpp"
#include "tests/unit/storage/format/record_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace etl::format::set_field_test {
namespace {

using testing::Contains;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

TEST(SetField, HasSamplesOfEveryKind) {
    std::set<RecordKind> kinds;
    for (const Sample& each : samples()) {
        kinds.insert(each.kind);
    }
    EXPECT_THAT(kinds, SizeIs(record_kinds - 1));
}

TEST(SetField, SetsTheTimeWhereverThereIsOne) {
    constexpr std::int64_t time = -0x0123456789ABCDEF;
    for (const Sample& before : samples()) {
        Record record = before.record;
        const FieldPresence place = set_time(before.kind, record, time);
        EXPECT_EQ(place == FieldPresence::present, before.has_time) << before.name;
    }
    const auto found = set_everywhere(
        [](RecordKind kind, MutableBytes record) { return set_time(kind, record, time); },
        [](Facts& facts) { facts.shape.time = time; });
    EXPECT_THAT(found, SizeIs(record_kinds - 2)); // all but NONE and ERROR
    EXPECT_THAT(found, Not(Contains("ERROR")));
}

const std::set<std::string> with_ids{"SYSTEM32", "SYSTEM64", "COMPACT32",  "COMPACT64",
                                     "FULL32",   "FULL64",   "INSTANCE32", "INSTANCE64",
                                     "EVENT32",  "EVENT64",  "MESSAGE"};

TEST(SetField, SetsTheProcess) {
    const auto found = set_everywhere(
        [](RecordKind kind, MutableBytes record) { return set_process_id(kind, record, 0xABCDEF); },
        [](Facts& facts) { facts.header.process_id = 0xABCDEF; });
    EXPECT_EQ(found, with_ids);
}

TEST(SetField, SetsTheThread) {
    const auto found = set_everywhere(
        [](RecordKind kind, MutableBytes record) { return set_thread_id(kind, record, 0xABCDEF); },
        [](Facts& facts) { facts.header.thread_id = 0xABCDEF; });
    EXPECT_EQ(found, with_ids);
}

TEST(SetField, SetsTheSequenceNumberOfMessages) {
    const auto found = set_everywhere(
        [](RecordKind kind, MutableBytes record) { return set_sequence(kind, record, 0xABCDEF); },
        [](Facts& facts) { facts.header.sequence = 0xABCDEF; });
    EXPECT_THAT(found, UnorderedElementsAre("MESSAGE"));
}

TEST(SetField, SetsCpuTimes) {
    const auto found = set_everywhere(
        [](RecordKind kind, MutableBytes record) { return set_cpu_times(kind, record, 21, 22); },
        [](Facts& facts) {
            facts.header.kernel_time = 21;
            facts.header.user_time = 22;
            facts.header.cpu_time = 21 | std::uint64_t{22} << 32U;
        });
    EXPECT_THAT(found, UnorderedElementsAre("SYSTEM32", "SYSTEM64", "FULL32", "FULL64",
                                            "INSTANCE32", "INSTANCE64", "EVENT32", "EVENT64"));
}

TEST(SetField, SetsTheProviderOrClass) {
    const auto found =
        set_everywhere([](RecordKind kind,
                          MutableBytes record) { return set_provider(kind, record, guid_of(100)); },
                       [](Facts& facts) { facts.header.provider = guid_of(100); });
    EXPECT_THAT(found, UnorderedElementsAre("FULL32", "FULL64", "INSTANCE32", "INSTANCE64",
                                            "EVENT32", "EVENT64", "MESSAGE", "WNODE"));
}

TEST(SetField, LeavesHandlesAlone) {
    Sample old = sample("", InstanceRecord{.instance_id = 4, .payload = five});
    Record record = old.record;
    EXPECT_EQ(set_provider(old.kind, record, guid_of(1), Instances::with_handles),
              FieldPresence::absent);
    record.resize(old_instance_record::size + 2);
    const Record before = record;
    EXPECT_EQ(set_provider(old.kind, record, guid_of(1)), FieldPresence::absent);
    EXPECT_EQ(record, before);
}

TEST(SetField, SetsTheActivityOfEvents) {
    const auto found =
        set_everywhere([](RecordKind kind,
                          MutableBytes record) { return set_activity(kind, record, guid_of(100)); },
                       [](Facts& facts) { facts.header.activity = guid_of(100); });
    EXPECT_THAT(found, UnorderedElementsAre("EVENT32", "EVENT64"));
}

constexpr EventDescriptor descriptor{.id = 0x1234,
                                     .version = 5,
                                     .channel = 6,
                                     .level = 4,
                                     .opcode = 0x0B,
                                     .task = 0x789,
                                     .keyword = 0x8000'0000'0000'0001};

/// What of the descriptor a record of the kind has.
void describe_as(Facts& facts) {
    flow::EventHeader& header = facts.header;
    if (is_message(facts.shape.kind)) {
        header.id = descriptor.id;
        return;
    }
    header.version = descriptor.version;
    header.opcode = descriptor.opcode;
    if (header.is_kernel) {
        header.hook_id = static_cast<std::uint16_t>((header.hook_id & 0xFF00U) | descriptor.opcode);
        return;
    }
    header.level = descriptor.level;
    if (is_event(facts.shape.kind)) {
        header.id = descriptor.id;
        header.channel = descriptor.channel;
        header.task = descriptor.task;
        header.keyword = descriptor.keyword;
    }
}

TEST(SetField, SetsOfADescriptorWhatTheRecordHas) {
    std::set<std::string> found;
    for (const Sample& before : samples()) {
        SCOPED_TRACE(before.name);
        Record record = before.record;
        if (set_descriptor(before.kind, record, descriptor) == FieldPresence::absent) {
            EXPECT_EQ(record, before.record);
            continue;
        }
        found.emplace(name(before.kind));
        Facts expected = facts_of(before.record);
        describe_as(expected);
        Facts after = facts_of(record);
        expected.header.provider = after.header.is_kernel ? after.header.provider // of the hook
                                                          : expected.header.provider;
        EXPECT_EQ(after.comparable(), expected.comparable());
    }
    EXPECT_THAT(found, SizeIs(record_kinds - 5)); // all but NONE, TIMED, ERROR, WNODE, ULONG32
}

} // namespace
} // namespace etl::format::set_field_test
