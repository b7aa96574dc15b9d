#include "symbols/pdb/line_table.hpp"

#include "base/cursor.hpp"
#include "base/function_ref.hpp"

#include <algorithm>

namespace etl::symbols {

namespace {

enum class C13Kind : std::uint32_t { lines = 0xF2, checksums = 0xF4, inlinees = 0xF6 };

// Numbers that the compiler uses for code without a line.
constexpr bool is_real_line(std::uint32_t line) noexcept {
    return line != 0xFEEFEE && line != 0xF00F00;
}

// Those to be ignored have a high bit, which makes them of another kind.
void for_each_subsection(Bytes c13, FunctionRef<void(C13Kind, Bytes)> each) {
    Cursor in(c13);
    while (in.left() >= 8) {
        const auto kind = static_cast<C13Kind>(in.u32("kind"));
        const std::size_t size = in.u32("size");
        const Bytes content = in.bytes("subsection", size);
        in.bytes("padding", std::min((0 - size) & 3U, in.left()));
        if (in) {
            each(kind, content);
        }
    }
}

// Rows of the files of one contribution, which can interleave.
void read_lines(Bytes content, const AddressSpace& addresses, const FileTable& files,
                std::vector<LineRow>& rows) {
    constexpr std::size_t block_header = 12;
    constexpr std::size_t row_size = 8;
    Cursor in(content);
    const std::uint32_t offset = in.u32("offset");
    const std::uint16_t section = in.u16("section");
    in.u16("flags");
    const std::uint32_t size = in.u32("size");
    const auto begin = addresses.rva_of(section, offset);
    if (!in || !begin || size > 0xFFFFFFFF - *begin) {
        return;
    }
    const std::size_t first = rows.size();
    while (in.left() >= block_header) {
        const std::uint32_t file = files.name_of(in.u32("checksum"));
        const std::size_t count = in.u32("rows");
        const std::size_t bytes = in.u32("bytes");
        const Bytes block = in.bytes("block", bytes < block_header ? 0 : bytes - block_header);
        for (std::size_t i = 0; i < count && has_range(block, i * row_size, row_size); ++i) {
            const auto at = load_le<std::uint32_t>(block.data() + i * row_size);
            const auto line = load_le<std::uint32_t>(block.data() + i * row_size + 4) & 0xFFFFFFU;
            if (at < size) {
                rows.push_back({*begin + at, is_real_line(line) ? line : 0, file});
            }
        }
    }
    if (rows.size() > first) {
        const auto added = rows.begin() + static_cast<std::ptrdiff_t>(first);
        std::stable_sort(added, rows.end(),
                         [](const LineRow& a, const LineRow& b) { return a.begin < b.begin; });
        // Code before the first row, such as that of an inlined function, belongs to it.
        added->begin = *begin;
        rows.push_back({*begin + size, 0, 0});
    }
}

void read_inlinees(Bytes content, const FileTable& files, std::vector<Inlinee>& to) {
    Cursor in(content);
    const bool has_more_files = in.u32("signature") == 1;
    while (in.left() >= 12) {
        const std::uint32_t item = in.u32("inlinee");
        const std::uint32_t checksum = in.u32("file");
        to.push_back({item, files.name_of(checksum), in.u32("line")});
        if (has_more_files) {
            const std::size_t count = in.u32("further files");
            in.bytes("further files", 4 * count);
        }
    }
}

} // namespace

LineTables read_line_tables(Bytes c13, const AddressSpace& addresses) {
    LineTables result;
    for_each_subsection(c13, [&](C13Kind kind, Bytes content) {
        if (kind == C13Kind::checksums) {
            result.files = FileTable(content);
        }
    });
    for_each_subsection(c13, [&](C13Kind kind, Bytes content) {
        if (kind == C13Kind::lines) {
            read_lines(content, addresses, result.files, result.rows);
        } else if (kind == C13Kind::inlinees) {
            read_inlinees(content, result.files, result.inlinees);
        }
    });
    // Of several rows at one address the last applies; the end of a contribution comes first.
    std::ranges::stable_sort(result.rows, [](const LineRow& a, const LineRow& b) {
        return a.begin != b.begin ? a.begin<b.begin : (a.file == 0)>(b.file == 0);
    });
    std::ranges::stable_sort(result.inlinees, {}, &Inlinee::item);
    return result;
}

} // namespace etl::symbols
