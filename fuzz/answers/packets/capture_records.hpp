// Events of captures in a form that is easy to change: for each, a kind, a byte of keywords, a
// size, and a payload. Read by the fuzz target, written by the maker of its seeds.
#pragma once

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "format/encode.hpp"

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace etl::fuzz {

using CaptureKind = std::pair<Guid, std::uint16_t>;

/// Provider and ID by kind.
inline const std::array<CaptureKind, 25>& capture_kinds() {
    static constexpr Guid ndis = *parse_guid("2ed6006e-4729-4609-b423-3ee7bcd678ef");
    static constexpr Guid ras = *parse_guid("d84521f7-2235-4237-a7c0-14e3a9676286");
    static constexpr Guid pktmon = *parse_guid("4d4f80d9-c8bd-4d73-bb5b-19c90402c5ac");
    static constexpr Guid dns = *parse_guid("1c95126e-7eea-49a9-a3fe-a378b03ddb4d");
    static constexpr std::array<CaptureKind, 25> kinds{
        {{ndis, 1001}, {ndis, 1002},  {ndis, 1003},  {ndis, 5101}, {ras, 5001},
         {ras, 5002},  {pktmon, 160}, {pktmon, 170}, {pktmon, 20}, {pktmon, 30},
         {pktmon, 40}, {pktmon, 60},  {pktmon, 65},  {pktmon, 66}, {pktmon, 70},
         {pktmon, 73}, {pktmon, 75},  {pktmon, 80},  {pktmon, 90}, {pktmon, 100},
         {dns, 3008},  {dns, 3020},   {ndis, 1011},  {ndis, 1014}, {ndis, 1016}}};
    return kinds;
}

/// The keywords that matter, by bit.
inline std::uint64_t capture_keywords(std::uint8_t bits) {
    constexpr std::array<std::uint64_t, 8> masks{0x40000000, 0x80000000, 0x100000000, 0x200000000,
                                                 0x200,      0x10000,    0x8000,      0x2000000};
    std::uint64_t keywords = 0;
    for (std::size_t i = 0; i < masks.size(); ++i) {
        keywords |= (bits >> i & 1U) != 0 ? masks[i] : 0;
    }
    return keywords;
}

struct CaptureRecord {
    std::uint8_t kind = 0, keywords = 0;
    Bytes payload;
};

inline std::vector<CaptureRecord> read_capture_records(Bytes data) {
    constexpr std::size_t largest = 60'000;
    std::vector<CaptureRecord> records;
    Cursor in(data);
    while (in.left() >= 4) {
        CaptureRecord record{.kind = in.u8("kind"), .keywords = in.u8("keywords"), .payload = {}};
        const std::size_t size = std::min<std::size_t>({in.u16("size"), in.left(), largest});
        record.payload = in.bytes("payload", size);
        records.push_back(record);
    }
    return records;
}

inline void write_capture_record(ByteWriter& to, const CaptureRecord& record) {
    to.u8(record.kind).u8(record.keywords).u16(static_cast<std::uint16_t>(record.payload.size()));
    to.bytes(record.payload);
}

} // namespace etl::fuzz
