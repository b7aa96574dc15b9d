#include <etl/base/cursor.hpp>
#include <etl/schema/image.hpp>
#include <etl/schema/limits.hpp>

#include "schema/image/image_layout.hpp"
#include "schema/image/resource_bytes.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace etl::schema {

namespace {

bool is_of(const ResourceName& name, const ResourceType& type) noexcept {
    return type.text.empty() ? name.text.empty() && name.number == type.number : name == type.text;
}

} // namespace

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
    if (!holds(file, at, header::size)) {
        return fail(ErrorCode::truncated, "PE header", FileOffset{at}, header::size,
                    clamped(file, at).size());
    }
    const auto head = file.subspan(at).first<header::size>();
    if (load<header::signature>(head) != header::magic) {
        return fail(ErrorCode::malformed, "PE signature", FileOffset{at});
    }
    const std::size_t optional_at = at + header::size;
    const std::size_t optional_size = load<header::optional_size>(head);
    if (!holds(file, optional_at, optional_size) || optional_size < 2) {
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
    if (holds(rest, entry, optional::directory_size) &&
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
    if (!holds(file_, table, count * section::size)) {
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

/// One branch of the tree: type, name, language.
class PeImage::TreeReader {
public:
    TreeReader(const PeImage& image, const Placed& root)
        : image_(image), root_(root), left_bytes_(image.file_.size()) {}

    Result<std::vector<Resource>> read(const ResourceType& type) {
        const auto types = entries_at(0);
        if (!types) {
            return std::unexpected(types.error());
        }
        for (const Entry& entry : *types) {
            if (is_of(entry.name, type) && entry.is_directory) {
                if (const auto read = read_names(entry); !read) {
                    return std::unexpected(read.error());
                }
            }
        }
        return std::move(found_);
    }

private:
    struct Entry {
        ResourceName name;
        std::uint32_t offset; // in the tree
        bool is_directory;
    };

    Error truncated(const char* what, std::size_t offset, std::size_t need) const noexcept {
        return {ErrorCode::truncated,
                what,
                root_.where + offset,
                need,
                clamped(root_.bytes, offset).size(),
                0};
    }

    Result<std::vector<Entry>> entries_at(std::size_t offset) {
        namespace layout = resource_layout;
        if (!holds(root_.bytes, offset, layout::directory_size)) {
            return std::unexpected(truncated("resource directory", offset, layout::directory_size));
        }
        const Bytes directory = root_.bytes.subspan(offset);
        const std::size_t count =
            std::size_t{load_at<std::uint16_t>(directory, layout::named_entries)} +
            load_at<std::uint16_t>(directory, layout::numbered_entries);
        if (count > left_) {
            return fail(ErrorCode::limit, "resources of an image", root_.where + offset,
                        limits::image_resources, count);
        }
        left_ -= count;
        if (!holds(directory, layout::directory_size, count * layout::entry_size)) {
            return std::unexpected(truncated("resource directory", offset,
                                             layout::directory_size + count * layout::entry_size));
        }
        std::vector<Entry> entries;
        entries.reserve(count);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t at = layout::directory_size + i * layout::entry_size;
            const auto name = name_of(load_at<std::uint32_t>(directory, at));
            if (!name) {
                return std::unexpected(name.error());
            }
            const auto target = load_at<std::uint32_t>(directory, at + 4);
            entries.push_back(
                {*name, target & ~layout::high_bit, (target & layout::high_bit) != 0});
        }
        return entries;
    }

    // Thousands of entries may point at the same bytes, and whoever reads resources reads them all.
    Result<void> charge(std::size_t bytes, FileOffset where) {
        if (bytes > left_bytes_) {
            return fail(ErrorCode::limit, "resources that share their bytes", where,
                        image_.file_.size());
        }
        left_bytes_ -= bytes;
        return {};
    }

    Result<ResourceName> name_of(std::uint32_t value) {
        if ((value & resource_layout::high_bit) == 0) {
            return ResourceName{static_cast<std::uint16_t>(value), {}};
        }
        const std::size_t at = value & ~resource_layout::high_bit;
        Cursor in(clamped(root_.bytes, at), root_.where + at);
        const std::size_t size = std::size_t{in.u16("name of a resource")} * 2;
        const Bytes text = in.bytes("name of a resource", size);
        if (!in) {
            return std::unexpected(in.error());
        }
        if (const auto charged = charge(text.size(), root_.where + at); !charged) {
            return std::unexpected(charged.error());
        }
        return ResourceName{0, text};
    }

    Result<void> read_names(const Entry& type) {
        const auto names = entries_at(type.offset);
        if (!names) {
            return std::unexpected(names.error());
        }
        for (const Entry& name : *names) {
            if (!name.is_directory) {
                continue;
            }
            const auto languages = entries_at(name.offset);
            if (!languages) {
                return std::unexpected(languages.error());
            }
            for (const Entry& language : *languages) {
                if (language.is_directory) {
                    continue;
                }
                if (const auto added = add(type, name, language); !added) {
                    return added;
                }
            }
        }
        return {};
    }

    Result<void> add(const Entry& type, const Entry& name, const Entry& language) {
        if (!holds(root_.bytes, language.offset, resource_layout::data_size)) {
            return std::unexpected(
                truncated("resource entry", language.offset, resource_layout::data_size));
        }
        Cursor in(root_.bytes.subspan(language.offset));
        const std::uint32_t address = in.u32("address");
        const std::uint32_t size = in.u32("size");
        const std::uint32_t code_page = in.u32("code page");
        const Placed data = image_.at_address(address);
        const Bytes bytes = clamped(data.bytes, 0, size);
        found_.push_back(
            {type.name, name.name, language.name.number, code_page, bytes, data.where, size});
        return charge(bytes.size(), root_.where + language.offset);
    }

    const PeImage& image_;
    Placed root_;
    std::size_t left_ = limits::image_resources;
    std::size_t left_bytes_; // resources together are no larger than the file
    std::vector<Resource> found_;
};

Result<std::vector<Resource>> PeImage::resources(const ResourceType& type) const {
    if (resource_address_ == 0) {
        return std::vector<Resource>{};
    }
    const Placed root = at_address(resource_address_);
    return TreeReader(*this, root).read(type);
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

namespace {

Result<ImageTexts> read_tables(Bytes file, const CultureChain& cultures) {
    const auto image = PeImage::parse(file);
    if (!image) {
        return std::unexpected(image.error());
    }
    auto tables = image->resources(message_table_type);
    if (!tables) {
        return std::unexpected(tables.error());
    }
    sort_by_language(*tables, cultures);
    ImageTexts texts;
    for (const Resource& resource : *tables) {
        const auto table = MessageTable::parse(resource.bytes);
        if (table) {
            texts.table.merge(*table);
        } else if (!texts.damage) {
            texts.damage = table.error();
            texts.damage->where = texts.damage->where + resource.where.value;
        }
    }
    return texts;
}

} // namespace

Result<ImageTexts> read_messages(Bytes file, const CultureChain& cultures) {
    try {
        return read_tables(file, cultures);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory for the texts of an image");
    }
}

} // namespace etl::schema
