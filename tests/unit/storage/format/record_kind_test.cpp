#include <etl/byte_writer.hpp>

#include "format/limits.hpp"
#include "format/record_kind.hpp"

#include <gtest/gtest.h>

#include <set>

namespace etl::format::record_kind_test {
namespace {

// 64 bytes with a marker, and sizes at both places where they may stand.
std::vector<std::byte> marked(std::uint8_t flags, std::uint8_t type, std::uint16_t size,
                              std::size_t length = 128) {
    std::vector<std::byte> bytes(length);
    store_le(bytes.data(), size);
    bytes[2] = std::byte{type};
    bytes[3] = std::byte{flags};
    store_le(bytes.data() + 4, size);
    return bytes;
}

RecordShape shape_of(const std::vector<std::byte>& bytes) {
    return record_at(bytes);
}

TEST(RecordAt, EndsAtTheFillMarker) {
    const std::vector<std::byte> fill(64, std::byte{0xFF});
    EXPECT_EQ(shape_of(fill).kind, RecordKind::none);
    EXPECT_EQ(shape_of(fill).why, NoRecord::end);
}

TEST(RecordAt, EndsAtAZeroDword) {
    EXPECT_EQ(shape_of(std::vector<std::byte>(64)).why, NoRecord::end);
}

TEST(RecordAt, EndsWhereTheBytesEnd) {
    EXPECT_EQ(record_at({}).why, NoRecord::end);
}

TEST(RecordAt, NeedsEightBytes) {
    EXPECT_EQ(shape_of(marked(0xC0, 19, 0x50, 7 + 1)).why, NoRecord::truncated);
    EXPECT_EQ(record_at(Bytes(marked(0xC0, 19, 0x50)).first(7)).why, NoRecord::truncated);
}

TEST(RecordAt, KnowsNoOtherHeaderTypes) {
    for (unsigned type = 0; type < 256; ++type) {
        const bool known =
            type < record_layouts.size() && record_layouts[type].kind != RecordKind::none;
        const RecordShape shape = shape_of(marked(0xC0, static_cast<std::uint8_t>(type), 0x60));
        EXPECT_EQ(shape.kind != RecordKind::none, known) << type;
        EXPECT_EQ(shape.why, known ? NoRecord::none : NoRecord::bad_marker) << type;
    }
}

TEST(RecordAt, KnowsNoOtherMarkers) {
    for (unsigned flags = 0x80; flags < 0x100; ++flags) {
        const bool known = flags == 0xC0 || flags == 0x90 || flags == 0xA0 || flags == 0xB0;
        const RecordShape shape = shape_of(marked(static_cast<std::uint8_t>(flags), 19, 0x60));
        EXPECT_EQ(shape.why == NoRecord::none, known) << flags;
    }
}

TEST(RecordAt, RejectsRecordsSmallerThanTheirHeaders) {
    for (std::size_t type = 0; type < record_layouts.size(); ++type) {
        const RecordLayout& layout = record_layouts[type];
        if (layout.kind == RecordKind::none) {
            continue;
        }
        const auto too_small = static_cast<std::uint16_t>(layout.header_size - 1);
        EXPECT_EQ(shape_of(marked(0xC0, static_cast<std::uint8_t>(type), too_small)).why,
                  NoRecord::bad_size)
            << name(layout.kind);
        EXPECT_EQ(shape_of(marked(0xC0, static_cast<std::uint8_t>(type), layout.header_size)).kind,
                  layout.kind);
    }
}

TEST(RecordAt, RejectsRecordsLargerThanTheirBuffer) {
    EXPECT_EQ(shape_of(marked(0xC0, 19, 129)).why, NoRecord::truncated);
    EXPECT_EQ(shape_of(marked(0xC0, 19, 128)).size, 128U);
    EXPECT_EQ(shape_of(marked(0x90, 0, 129)).why, NoRecord::truncated);
    EXPECT_EQ(shape_of(marked(0xB0, 0, 129)).why, NoRecord::truncated);
}

TEST(RecordAt, RejectsMessagesTooSmallForTheirFields) {
    std::vector<std::byte> bytes = marked(0x90, 0, 8 + 4 + 16 + 8 + 8 - 1);
    store_le(bytes.data() + 6, std::uint16_t{0x2B}); // SEQUENCE, GUID, TIMESTAMP, SYSTEMINFO
    EXPECT_EQ(shape_of(bytes).why, NoRecord::bad_size);
    store_le(bytes.data(), std::uint16_t{8 + 4 + 16 + 8 + 8});
    EXPECT_EQ(shape_of(bytes).kind, RecordKind{RecordFamily::message});
}

TEST(RecordAt, RejectsSizeFirstRecordsSmallerThanAWnodeHeader) {
    std::vector<std::byte> bytes(128);
    store_le(bytes.data(), std::uint32_t{0x2F});
    EXPECT_EQ(shape_of(bytes).why, NoRecord::bad_size);
    store_le(bytes.data(), std::uint32_t{0x30});
    EXPECT_EQ(shape_of(bytes).kind, RecordKind{RecordFamily::wnode});
    store_le(bytes.data(), std::uint32_t{0x7FFFFFF0});
    EXPECT_EQ(shape_of(bytes).why, NoRecord::truncated);
}

TEST(RecordAt, FindsNoTimeInAnErrorRecord) {
    std::vector<std::byte> bytes = marked(0xC0, 13, 32);
    store_le(bytes.data() + 8, std::int64_t{99}); // nobody knows what lies here
    EXPECT_EQ(shape_of(bytes).kind, RecordKind{RecordFamily::error});
    EXPECT_FALSE(shape_of(bytes).has_time);
}

TEST(RecordAt, FindsNoTimeInAMessageThatOnlyReservesRoomForIt) {
    std::vector<std::byte> bytes = marked(0x90, 0, 32);
    store_le(bytes.data() + 6, std::uint16_t{0x10}); // PERFORMANCE_TIMESTAMP
    store_le(bytes.data() + 8, std::int64_t{99});
    EXPECT_EQ(shape_of(bytes).kind, RecordKind{RecordFamily::message});
    EXPECT_FALSE(shape_of(bytes).has_time);
}

TEST(RecordAt, AcceptsInstanceHeadersOfLayout10) {
    EXPECT_EQ(shape_of(marked(0xC0, 11, 0x38)).kind, narrow(RecordFamily::instance));
    EXPECT_EQ(shape_of(marked(0xC0, 21, 0x38)).kind, wide(RecordFamily::instance));
}

TEST(RecordKind, HasTheNamesOfTheOutputContract) {
    EXPECT_EQ(name(narrow(RecordFamily::system)), "SYSTEM32");
    EXPECT_EQ(name(wide(RecordFamily::event)), "EVENT64");
    EXPECT_EQ(name(RecordKind{RecordFamily::timed}), "TIMED");
    EXPECT_EQ(name(RecordKind{RecordFamily::ulong32}), "ULONG32");
}

TEST(RecordKind, HasANumberAndANameOfItsOwn) {
    std::set<RecordKind> kinds;
    for (std::size_t number = 0; number < max_record_kinds; ++number) {
        const RecordKind kind = record_kind_of(number);
        kinds.insert(kind);
        EXPECT_EQ(record_kind_of(number_of(kind)), kind);
        if (kind != RecordKind::none) {
            EXPECT_EQ(record_kind_of(name(kind)), kind);
        }
    }
    EXPECT_EQ(kinds.size(), record_kinds);
    EXPECT_EQ(record_kind_of(name(RecordKind::none)), std::nullopt);
    EXPECT_EQ(record_kind_of(std::string_view("EVENT")), std::nullopt);
}

TEST(RecordKind, StatesTheTraitsOfItsFamily) {
    EXPECT_TRUE(has_hook(wide(RecordFamily::perfinfo)));
    EXPECT_FALSE(has_hook_and_ids(wide(RecordFamily::perfinfo)));
    EXPECT_TRUE(has_hook_and_ids(narrow(RecordFamily::compact)));
    EXPECT_FALSE(has_hook(wide(RecordFamily::event)));
    EXPECT_TRUE(has_class(wide(RecordFamily::instance)));
    EXPECT_FALSE(has_class(RecordKind::none));
}

TEST(Padded, RoundsUpToEight) {
    EXPECT_EQ(padded(0x50), 0x50U);
    EXPECT_EQ(padded(0x51), 0x58U);
    EXPECT_EQ(padded(max_record_size), max_record_size + 1);
}

} // namespace
} // namespace etl::format::record_kind_test
