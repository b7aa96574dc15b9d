#include "symbols/pdb/debug_info.hpp"

#include "base/cursor.hpp"
#include "symbols/limits.hpp"
#include "symbols/source.hpp"

#include <algorithm>
#include <limits>

namespace etl::symbols {

namespace {

constexpr std::uint32_t end_of_space = std::numeric_limits<std::uint32_t>::max();

} // namespace

void AddressSpace::add_headers(Bytes section_headers) {
    constexpr std::size_t header_size = 40;
    for (std::size_t at = 0;
         has_range(section_headers, at, header_size) && sections_.size() < limits::sections;
         at += header_size) {
        Cursor in(section_headers.subspan(at + 8));
        const std::uint32_t memory_size = in.u32("size in memory");
        const std::uint32_t begin = in.u32("address");
        const std::uint32_t size = std::max(memory_size, in.u32("size in the file"));
        sections_.push_back({begin, std::min(size, end_of_space - begin)});
    }
}

// It contains no addresses: sections follow each other in pages, after a page of headers. Ends at
// the first entry that is not the next section, because what follows cannot be placed.
void AddressSpace::add_section_map(Bytes section_map) {
    constexpr std::size_t head_size = 4;
    constexpr std::size_t entry_size = 20;
    constexpr std::uint16_t is_absolute = 0x200; // not a part of the image
    constexpr std::uint64_t page = 0x1000;
    if (section_map.size() < head_size) {
        return;
    }
    const std::size_t count = load_le<std::uint16_t>(section_map.data());
    std::uint64_t begin = page;
    for (std::size_t at = head_size; has_range(section_map, at, entry_size) &&
                                     sections_.size() < std::min(count, limits::sections);
         at += entry_size) {
        Cursor in(section_map.subspan(at));
        const std::uint16_t flags = in.u16("flags");
        in.bytes("overlay, group", 4);
        const std::uint16_t number = in.u16("section");
        in.bytes("names, offset", 8);
        const std::uint32_t size = in.u32("size");
        const std::uint64_t end = begin + (size + page - 1) / page * page;
        if ((flags & is_absolute) != 0 || number != sections_.size() + 1 || end > end_of_space) {
            return;
        }
        sections_.push_back({static_cast<std::uint32_t>(begin), size});
        begin = end;
    }
}

AddressSpace::AddressSpace(Bytes section_headers, Bytes section_map, Bytes map_to_original) {
    add_headers(section_headers);
    if (sections_.empty()) {
        add_section_map(section_map);
        is_from_section_map_ = !sections_.empty();
    }
    if (sections_.empty()) {
        sections_.push_back({0, end_of_space});
    }
    constexpr std::size_t move_size = 8;
    moves_.reserve(map_to_original.size() / move_size);
    for (std::size_t at = 0; has_range(map_to_original, at, move_size); at += move_size) {
        moves_.push_back({load_le<std::uint32_t>(map_to_original.data() + at),
                          load_le<std::uint32_t>(map_to_original.data() + at + 4)});
    }
    std::ranges::stable_sort(moves_, {}, &Move::from);
}

std::optional<std::uint32_t> AddressSpace::original(std::uint32_t rva) const noexcept {
    if (moves_.empty()) {
        return rva;
    }
    const Move* const move = last_at_or_below(std::span(moves_), rva, &Move::from);
    if (move == nullptr || move->to == 0) {
        return std::nullopt;
    }
    return move->to + (rva - move->from);
}

std::uint16_t AddressSpace::section_of(std::uint32_t rva) const noexcept {
    const auto found = std::ranges::find_if(sections_, [&](const Section& section) {
        return rva >= section.begin && rva - section.begin < section.size;
    });
    return found == sections_.end() ? std::uint16_t{0}
                                    : static_cast<std::uint16_t>(found - sections_.begin() + 1);
}

namespace {

constexpr std::size_t debug_information = 3; // the stream
constexpr std::size_t dbi_header_size = 64;

/// The header, and the parts in their order.
struct DbiParts {
    Bytes header;
    Bytes modules;
    Bytes contributions;
    Bytes section_map;
    Bytes optional_headers;
};

Result<DbiParts> parts_of(Bytes stream) {
    if (stream.size() < dbi_header_size) {
        return fail(ErrorCode::truncated, "debug information", {}, dbi_header_size, stream.size());
    }
    const auto number = [&](std::size_t at) { return load_le<std::uint32_t>(stream.data() + at); };
    if (number(0) != 0xFFFFFFFF) {
        return fail(ErrorCode::unsupported, "version of the debug information");
    }
    Cursor in(stream.subspan(dbi_header_size), FileOffset{dbi_header_size});
    DbiParts parts{stream.first(dbi_header_size), {}, {}, {}, {}};
    parts.modules = in.bytes("modules", number(24));
    parts.contributions = in.bytes("contributions", number(28));
    parts.section_map = in.bytes("section map", number(32));
    in.bytes("source files", number(36));
    in.bytes("type servers", number(40));
    in.bytes("edit and continue", number(52));
    parts.optional_headers = in.bytes("optional headers", number(48));
    if (!in) {
        return std::unexpected(in.error());
    }
    return parts;
}

// A stream belongs to one module only, so that parsing all of them costs no more than the file.
std::vector<ModuleStream> modules_of(Bytes list, std::size_t streams) {
    Cursor in(list);
    std::vector<ModuleStream> modules;
    std::vector<bool> is_used(streams);
    while (in.left() >= dbi_header_size && modules.size() < limits::modules) {
        ModuleStream module;
        in.bytes("contribution, flags", 34);
        module.stream = in.u16("stream of the symbols");
        module.symbol_bytes = in.u32("bytes of symbols");
        module.old_line_bytes = in.u32("bytes of C11 lines");
        module.line_bytes = in.u32("bytes of C13 lines");
        in.bytes("source files, edit and continue", 16);
        in.zero_terminated8("module");
        in.zero_terminated8("object file");
        if (!in) {
            break;
        }
        in.bytes("padding", std::min((0 - in.position()) & 3U, in.left()));
        if (module.stream >= streams || is_used[module.stream]) {
            module.stream = no_stream;
        } else {
            is_used[module.stream] = true;
        }
        modules.push_back(module);
    }
    return modules;
}

std::vector<Contribution> contributions_of(Bytes list, const AddressSpace& addresses) {
    constexpr std::uint32_t version_60 = 0xEFFE0000U + 19970605U;
    constexpr std::uint32_t version_2014 = 0xEFFE0000U + 20140516U;
    std::vector<Contribution> result;
    if (list.size() < 4) {
        return result;
    }
    const auto version = load_le<std::uint32_t>(list.data());
    if (version != version_60 && version != version_2014) {
        return result;
    }
    const std::size_t entry_size = version == version_60 ? 28 : 32;
    result.reserve(list.size() / entry_size);
    for (std::size_t at = 4; has_range(list, at, entry_size); at += entry_size) {
        const std::byte* const entry = list.data() + at;
        const auto size = load_le<std::uint32_t>(entry + 8);
        const auto rva =
            addresses.rva_of(load_le<std::uint16_t>(entry), load_le<std::uint32_t>(entry + 4));
        if (rva && size != 0 && size <= 0xFFFFFFFF - *rva) {
            result.push_back({*rva, *rva + size, load_le<std::uint16_t>(entry + 16)});
        }
    }
    if (!std::ranges::is_sorted(result, {}, &Contribution::begin)) {
        std::ranges::stable_sort(result, {}, &Contribution::begin);
    }
    return result;
}

// With a map to the original image, the section headers of the original apply.
AddressSpace addresses_of(const StreamFile& file, Bytes section_map, Bytes optional_headers) {
    constexpr std::size_t map_to_original = 3;
    constexpr std::size_t headers = 5;
    constexpr std::size_t original_headers = 10;
    const auto content = [&](std::size_t index) {
        std::vector<std::byte> bytes;
        if (has_range(optional_headers, 2 * index, 2)) {
            file.read(load_le<std::uint16_t>(optional_headers.data() + 2 * index), bytes);
        }
        return bytes;
    };
    const std::vector<std::byte> map = content(map_to_original);
    std::vector<std::byte> sections = content(map.empty() ? headers : original_headers);
    if (sections.empty()) {
        sections = content(headers);
    }
    return {sections, section_map, map};
}

} // namespace

Result<DebugInfo> DebugInfo::read(const StreamFile& file) {
    std::vector<std::byte> scratch;
    const auto size = static_cast<std::size_t>(file.size_of(debug_information));
    const auto parts = parts_of(file.part(debug_information, 0, size, scratch));
    if (!parts) {
        return std::unexpected(parts.error());
    }
    DebugInfo result;
    result.age = load_le<std::uint32_t>(parts->header.data() + 8);
    result.publics = load_le<std::uint16_t>(parts->header.data() + 16);
    result.records = load_le<std::uint16_t>(parts->header.data() + 20);
    result.modules = modules_of(parts->modules, file.streams());
    result.addresses = addresses_of(file, parts->section_map, parts->optional_headers);
    result.contributions = contributions_of(parts->contributions, result.addresses);
    result.contribution_index = decltype(contribution_index)(result.contributions);
    return result;
}

} // namespace etl::symbols
