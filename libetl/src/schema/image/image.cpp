#include <etl/schema/image.hpp>
#include <etl/schema/limits.hpp>

#include "schema/image/image_layout.hpp"
#include "schema/image/resource_bytes.hpp"

#include <algorithm>
#include <utility>

namespace etl::schema {

bool ResourceName::operator==(std::u16string_view name) const noexcept {
    if (text.size() != name.size() * 2) {
        return false;
    }
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (load_at<std::uint16_t>(text, i * 2) != name[i]) {
            return false;
        }
    }
    return true;
}

bool PeImage::is_likely(Bytes file) noexcept {
    return file.size() >= 2 && load_at<std::uint16_t>(file, 0) == dos_layout::magic;
}

Result<PeImage> PeImage::parse(Bytes file) {
    namespace header = file_header_layout;
    namespace optional = optional_header_layout;
    if (!is_likely(file)) {
        return fail(ErrorCode::malformed, "signature of an executable");
    }
    if (file.size() < dos_layout::size) {
        return fail(ErrorCode::truncated, "header of an executable", {}, dos_layout::size,
                    file.size());
    }
    const std::size_t at = load_at<std::uint32_t>(file, dos_layout::pe_offset);
    if (!has_range(file, at, header::size)) {
        return fail(ErrorCode::truncated, "PE header", FileOffset{at}, header::size,
                    clamped(file, at).size());
    }
    const auto head = file.subspan(at).first<header::size>();
    if (load<header::signature>(head) != header::magic) {
        return fail(ErrorCode::malformed, "PE signature", FileOffset{at});
    }
    const std::size_t optional_at = at + header::size;
    const std::size_t optional_size = load<header::optional_size>(head);
    if (!has_range(file, optional_at, optional_size) || optional_size < 2) {
        return fail(ErrorCode::truncated, "optional header", FileOffset{optional_at}, optional_size,
                    clamped(file, optional_at).size());
    }
    const Bytes rest = file.subspan(optional_at, optional_size);
    const auto magic = load_at<std::uint16_t>(rest, 0);
    if (magic != optional::pe32 && magic != optional::pe32_plus) {
        return fail(ErrorCode::malformed, "optional header", FileOffset{optional_at}, 0, magic);
    }
    const std::size_t directories =
        magic == optional::pe32 ? optional::directories_pe32 : optional::directories_pe32_plus;
    PeImage image(file);
    const std::size_t entry = directories + optional::resource_directory * optional::directory_size;
    if (has_range(rest, entry, optional::directory_size) &&
        load_at<std::uint32_t>(rest, directories - 4) > optional::resource_directory) {
        image.resource_address_ = load_at<std::uint32_t>(rest, entry);
    }
    const auto read =
        image.read_sections(optional_at + optional_size, load<header::sections>(head));
    if (!read) {
        return std::unexpected(read.error());
    }
    return image;
}

Result<void> PeImage::read_sections(std::size_t table, std::size_t count) {
    namespace section = section_layout;
    if (count > limits::image_sections) {
        return fail(ErrorCode::limit, "sections of an image", FileOffset{table},
                    limits::image_sections, count);
    }
    if (!has_range(file_, table, count * section::size)) {
        return fail(ErrorCode::truncated, "section table", FileOffset{table}, count * section::size,
                    clamped(file_, table).size());
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto from = file_.subspan(table + i * section::size).first<section::size>();
        sections_.push_back({load<section::address>(from), load<section::memory_bytes>(from),
                             load<section::file_offset>(from), load<section::file_bytes>(from)});
    }
    return {};
}

PeImage::Placed PeImage::at_address(std::uint32_t address) const noexcept {
    for (const Section& section : sections_) {
        const std::uint32_t size = std::max(section.memory_bytes, section.file_bytes);
        if (address < section.address || address - section.address >= size) {
            continue;
        }
        const std::uint32_t inside = address - section.address;
        if (inside >= section.file_bytes) {
            return {}; // zeros that only memory has
        }
        const FileOffset where = FileOffset{section.file_offset} + inside;
        return {clamped(file_, where.value, section.file_bytes - inside), where};
    }
    return {};
}

std::optional<Error> find_truncation(Bytes file) {
    const auto if_truncated = [](const Error& error) {
        return error.code == ErrorCode::truncated ? std::optional(error) : std::nullopt;
    };
    const auto image = PeImage::parse(file);
    if (!image) {
        return if_truncated(image.error());
    }
    std::optional<Error> first;
    const auto note = [&](const Error& error) {
        first = !first || error.where.value < first->where.value ? error : *first;
    };
    for (const ResourceType& type : {wevt_template_type, message_table_type}) {
        const auto resources = image->resources(type);
        if (!resources) {
            if (const auto error = if_truncated(resources.error())) {
                note(*error);
            }
            continue;
        }
        for (const Resource& resource : *resources) {
            if (resource.bytes.size() < resource.size &&
                resource.where.value + resource.size > file.size()) {
                note({ErrorCode::truncated,
                      type.number == 0 ? "WEVT_TEMPLATE resource" : "message table", resource.where,
                      resource.size, resource.bytes.size()});
            }
        }
    }
    return first;
}

void sort_by_language(std::vector<Resource>& resources, const CultureChain& cultures) {
    std::vector<std::pair<std::size_t, std::size_t>> order; // rank, place
    order.reserve(resources.size());
    for (std::size_t i = 0; i < resources.size(); ++i) {
        order.emplace_back(cultures.rank(resources[i].language), i);
    }
    std::ranges::sort(order);
    std::vector<Resource> sorted;
    sorted.reserve(resources.size());
    for (const auto& [rank, place] : order) {
        sorted.push_back(resources[place]);
    }
    resources = std::move(sorted);
}

} // namespace etl::schema
