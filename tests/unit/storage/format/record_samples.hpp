// A record of every kind, and what records say.
#pragma once

#include "flow/event.hpp"
#include "format/encode.hpp"
#include "format/records.hpp"
#include "format/set_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace etl::format {

using Record = std::vector<std::byte>;

constexpr Guid guid_of(unsigned char seed) {
    std::array<std::byte, sizeof(Guid)> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        bytes[i] = static_cast<std::byte>(seed + i);
    }
    return std::bit_cast<Guid>(bytes);
}

inline constexpr std::array<std::byte, 5> five{std::byte{1}, std::byte{2}, std::byte{3},
                                               std::byte{4}, std::byte{5}};

struct Sample {
    std::string name;
    RecordKind kind{};
    bool has_time = false;
    Record record;
};

inline Sample sample_of(std::string name, ByteWriter& to) {
    const RecordShape shape = record_at(to.view());
    EXPECT_NE(shape.kind, RecordKind::none) << name;
    EXPECT_EQ(shape.size, to.size()) << name;
    return {std::move(name), shape.kind, shape.has_time, to.take()};
}

template <typename Struct>
Sample sample(std::string name, const Struct& record) {
    ByteWriter to;
    EXPECT_TRUE(encode(record, to));
    return sample_of(std::move(name), to);
}

template <typename Struct>
void both_widths(std::vector<Sample>& into, const std::string& name, Struct record) {
    record.width = Width::bits32;
    into.push_back(sample(name + "32", record));
    record.width = Width::bits64;
    into.push_back(sample(name + "64", record));
}

inline void add_messages(std::vector<Sample>& all) {
    for (unsigned fields = 0; fields < 32; ++fields) {
        const auto has = [&](unsigned bit) { return (fields & bit) != 0; };
        MessageRecord record{.number = 7, .payload = five};
        record.sequence = has(1) ? std::optional(11U) : std::nullopt;
        record.component_id = has(2) ? std::optional(12U) : std::nullopt;
        record.guid = has(4) ? std::optional(guid_of(3)) : std::nullopt;
        record.time = has(8) ? std::optional(std::int64_t{13}) : std::nullopt;
        record.system_info =
            has(16) ? std::optional(ThreadAndProcess{.thread_id = 14, .process_id = 15})
                    : std::nullopt;
        all.push_back(sample("MESSAGE " + std::to_string(fields), record));
    }
    all.push_back(sample("MESSAGE reserving", MessageRecord{.reserves_time = true,
                                                            .system_info = ThreadAndProcess{1, 2},
                                                            .payload = five}));
}

/// Every kind, and every form of it that has its fields elsewhere.
inline std::vector<Sample> samples() {
    constexpr std::array<std::uint64_t, 2> values{1, 2};
    const std::array items{
        ExtendedItem{.type = ItemType::terminal_session_id, .data = Bytes(five).first(4)},
        ExtendedItem{.type = ItemType::sid, .data = five}};
    const Counters counters{.pebs_index = 9, .values = values};
    std::vector<Sample> all;
    both_widths(all, "SYSTEM", SystemRecord{.version = 2, .hook_id = 0x030A, .payload = five});
    both_widths(all, "SYSTEM counting ", SystemRecord{.counters = counters, .payload = five});
    both_widths(all, "COMPACT", CompactRecord{.hook_id = 0x0524, .payload = five});
    both_widths(all, "COMPACT counting ", CompactRecord{.counters = counters, .payload = five});
    both_widths(all, "PERFINFO", PerfinfoRecord{.version = 3, .hook_id = 0x0F2E, .payload = five});
    both_widths(all, "PERFINFO counting ", PerfinfoRecord{.counters = counters, .payload = five});
    both_widths(all, "FULL", FullRecord{.opcode = 1, .version = 2, .payload = five});
    both_widths(all, "INSTANCE", InstanceRecord{.instance_id = 4, .payload = five});
    both_widths(all, "EVENT", EventRecord{.flags = event_flag::no_cpu_time, .payload = five});
    both_widths(all, "EVENT with items ", EventRecord{.items = items, .payload = five});
    all.push_back(sample("TIMED", TimedRecord{.event_id = 3, .payload = five}));
    all.push_back(sample("ERROR", ErrorRecord{.payload = five}));
    all.push_back(sample("WNODE", WnodeRecord{.payload = five}));
    all.push_back(
        sample("WNODE marked", WnodeRecord{.form = WnodeRecord::Form::marked, .payload = five}));
    all.push_back(sample("ULONG32", Ulong32Record{.payload = five}));
    all.push_back(sample("ULONG32 stamped", Ulong32Record{.time = 1, .payload = five}));
    add_messages(all);
    for (std::size_t number = 0; number < max_record_kinds; ++number) {
        const RecordKind kind = record_kind_of(number);
        if (kind != RecordKind::none && number_of(kind) == number) {
            EventHeader header;
            header.payload = five;
            ByteWriter to;
            EXPECT_TRUE(encode(kind, header, 1, to));
            all.push_back(sample_of(std::string(name(kind)) + " without a structure", to));
        }
    }
    return all;
}

/// What a record says: its shape and its header, views as copies.
struct Facts {
    RecordShape shape;
    flow::EventHeader header;
    Record items, payload, counters, pebs;

    auto comparable() const {
        const flow::EventHeader& h = header;
        return std::tuple(
            std::tuple(shape.kind, shape.has_time, shape.time, items, payload, counters, pebs),
            std::tuple(h.provider, h.activity, h.keyword, h.cpu_time, h.process_id, h.thread_id),
            std::tuple(h.kernel_time, h.user_time, h.instance_id, h.parent_instance_id,
                       h.parent_guid, h.id, h.task, h.flags, h.property, h.hook_id, h.version),
            std::tuple(h.channel, h.level, h.opcode, h.pointer_size, h.is_kernel, h.has_cpu_times,
                       h.has_invalid_items, h.sequence, h.has_sequence, h.component_id));
    }
};

inline Record copy(Bytes bytes) {
    return {bytes.begin(), bytes.end()};
}

inline Facts facts_of(const Record& record) {
    static const flow::TraceInfo trace;
    const flow::BufferContext buffer{.trace = &trace, .bytes = record};
    Record padded_record = record;
    padded_record.resize(std::max<std::size_t>(record.size(), 8));
    const RecordShape shape = record_at(padded_record);
    EXPECT_EQ(shape.size, record.size());
    const flow::EventHeader header = flow::read_header({.record = record.data(),
                                                        .raw_time = shape.time,
                                                        .buffer = &buffer,
                                                        .size = shape.size,
                                                        .kind = shape.kind,
                                                        .has_time = shape.has_time});
    return {shape,
            header,
            copy(header.items),
            copy(header.payload),
            copy(header.counters),
            copy(header.pebs)};
}

/// Sets a field of every sample. Where there is a place for it `change` says what is different
/// then, and nothing else is; where there is none nothing is. Gives the names of the kinds that
/// have a place.
template <typename Set, typename Change>
std::set<std::string> set_everywhere(const Set& set, const Change& change) {
    std::set<std::string> found;
    for (const Sample& before : samples()) {
        SCOPED_TRACE(before.name);
        Record record = before.record;
        if (set(before.kind, MutableBytes(record)) == FieldPresence::absent) {
            EXPECT_EQ(record, before.record);
            continue;
        }
        found.emplace(name(before.kind));
        Facts expected = facts_of(before.record);
        change(expected);
        EXPECT_EQ(facts_of(record).comparable(), expected.comparable());
        EXPECT_EQ(record.size(), before.record.size());
    }
    return found;
}

} // namespace etl::format
