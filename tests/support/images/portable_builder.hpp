// Portable program databases: documents, and methods with sequence points.
#pragma once

#include <etl/byte_writer.hpp>
#include <etl/guid.hpp>

#include "tests/support/traces/trace_builder.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace etl::test {

/// Line 0: hidden.
struct PointText {
    std::uint32_t il_offset = 0;
    std::uint32_t line = 0;
    std::uint32_t document = 1;
};

class PortableBuilder {
public:
    static constexpr Guid guid = *parse_guid("1a2b3c4d-5e6f-7081-92a3-b4c5d6e7f809");

    /// Parts of a path, separated by `/`; the number is 1 for the first.
    std::uint32_t document(const std::vector<std::string_view>& parts) {
        ByteWriter name;
        name.u8('/');
        for (const std::string_view part : parts) {
            number(name, blob(std::as_bytes(std::span(part))));
        }
        documents_.push_back(blob(name.view()));
        return static_cast<std::uint32_t>(documents_.size());
    }

    /// The next method. `is_mixed`: the points, not the row, specify the document.
    PortableBuilder& method(const std::vector<PointText>& points, bool is_mixed = false) {
        if (points.empty()) {
            methods_.push_back({0, 0});
            return *this;
        }
        const std::uint32_t row = is_mixed ? 0 : points.front().document;
        methods_.push_back({row, blob(points_blob(points, row).view())});
        return *this;
    }

    Image build() const {
        const std::size_t width = blobs_.size() > 0xFFFF ? 4 : 2;
        ByteWriter tables;
        tables.u32(0).u8(2).u8(0).u8(width == 4 ? 4 : 0).u8(1);
        tables.u64(std::uint64_t{3} << 0x30U).u64(0);
        tables.u32(static_cast<std::uint32_t>(documents_.size()));
        tables.u32(static_cast<std::uint32_t>(methods_.size()));
        for (const std::uint32_t name : documents_) {
            index(tables, name, width);
            tables.u16(0);
            index(tables, 0, width);
            tables.u16(0);
        }
        for (const auto& [document, points] : methods_) {
            tables.u16(static_cast<std::uint16_t>(document));
            index(tables, points, width);
        }
        ByteWriter id;
        id.guid(guid).u32(0x12345678).u32(0).u64(0);
        return file_of(id, tables);
    }

private:
    struct Method {
        std::uint32_t document = 0;
        std::uint32_t points = 0;
    };

    static void index(ByteWriter& out, std::uint32_t value, std::size_t width) {
        if (width == 4) {
            out.u32(value);
        } else {
            out.u16(static_cast<std::uint16_t>(value));
        }
    }

    static void number(ByteWriter& out, std::uint32_t value) {
        if (value < 0x80) {
            out.u8(static_cast<std::uint8_t>(value));
        } else if (value < 0x4000) {
            out.u8(static_cast<std::uint8_t>(0x80U | value >> 8U));
            out.u8(static_cast<std::uint8_t>(value));
        } else {
            out.u8(static_cast<std::uint8_t>(0xC0U | value >> 24U));
            out.u8(static_cast<std::uint8_t>(value >> 16U));
            out.u8(static_cast<std::uint8_t>(value >> 8U)).u8(static_cast<std::uint8_t>(value));
        }
    }

    // The bits of the value, rotated, so that the sign is the lowest.
    static void signed_number(ByteWriter& out, std::int32_t value) {
        const bool is_negative = value < 0;
        const auto bits = static_cast<std::uint32_t>(value);
        if (value >= -0x40 && value < 0x40) {
            number(out, (bits & 0x3FU) << 1U | (is_negative ? 1U : 0U));
        } else if (value >= -0x2000 && value < 0x2000) {
            const std::uint32_t rotated = (bits & 0x1FFFU) << 1U | (is_negative ? 1U : 0U);
            out.u8(static_cast<std::uint8_t>(0x80U | rotated >> 8U));
            out.u8(static_cast<std::uint8_t>(rotated));
        } else {
            const std::uint32_t rotated = (bits & 0xFFFFFFFU) << 1U | (is_negative ? 1U : 0U);
            out.u8(static_cast<std::uint8_t>(0xC0U | rotated >> 24U));
            out.u8(static_cast<std::uint8_t>(rotated >> 16U));
            out.u8(static_cast<std::uint8_t>(rotated >> 8U)).u8(static_cast<std::uint8_t>(rotated));
        }
    }

    std::uint32_t blob(Bytes bytes) {
        const auto at = static_cast<std::uint32_t>(blobs_.size());
        number(blobs_, static_cast<std::uint32_t>(bytes.size()));
        blobs_.bytes(bytes);
        return at;
    }

    // Each visible point is one line and five columns long, and begins in column 9.
    static ByteWriter points_blob(const std::vector<PointText>& points, std::uint32_t row) {
        ByteWriter out;
        number(out, 0);
        std::uint32_t document = row;
        if (row == 0) {
            document = points.front().document;
            number(out, document);
        }
        std::uint32_t offset = 0;
        std::uint32_t line = 0;
        bool has_visible = false;
        for (const PointText& point : points) {
            if (point.document != document) {
                document = point.document;
                number(out, 0);
                number(out, document);
            }
            number(out, point.il_offset - offset);
            offset = point.il_offset;
            if (point.line == 0) {
                number(out, 0);
                number(out, 0);
                continue;
            }
            number(out, 1);
            signed_number(out, -5);
            if (has_visible) {
                signed_number(out, static_cast<std::int32_t>(point.line - line));
                signed_number(out, 0);
            } else {
                number(out, point.line);
                number(out, 9);
            }
            has_visible = true;
            line = point.line;
        }
        return out;
    }

    Image file_of(const ByteWriter& id, const ByteWriter& tables) const {
        ByteWriter content;
        ByteWriter headers;
        // Of 3 streams, with their names padded to 8, 4, and 8 bytes.
        constexpr std::uint32_t header_size = 32 + 3 * 8 + 8 + 4 + 8;
        const auto stream = [&](std::string_view name, const ByteWriter& from) {
            headers.u32(header_size + static_cast<std::uint32_t>(content.size()));
            headers.u32(static_cast<std::uint32_t>(from.size())).zero_terminated8(name).align(4);
            content.bytes(from.view()).align(4);
        };
        stream("#Pdb", id);
        stream("#~", tables);
        stream("#Blob", blobs_);
        ByteWriter out;
        out.u32(0x424A5342).u16(1).u16(1).u32(0).u32(12).text8({"PDB v1.0\0\0\0\0", 12});
        out.u16(0).u16(3).bytes(headers.view()).bytes(content.view());
        return {out.view().begin(), out.view().end()};
    }

    ByteWriter blobs_ = ByteWriter().u8(0);
    std::vector<std::uint32_t> documents_; // blobs of their names
    std::vector<Method> methods_;
};

} // namespace etl::test
