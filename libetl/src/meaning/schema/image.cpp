#include "schema/image.hpp"

#include "base/cursor.hpp"
#include "schema/limits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace etl::schema {

namespace {

// Structures of resources in PE images, from Microsoft's public "PE Format" (winnt.h).
// docs/format/images.md#pe

/// IMAGE_RESOURCE_DIRECTORY, _ENTRY, _DATA_ENTRY.
namespace resource_layout {

constexpr std::size_t data_directory = 2;
constexpr std::size_t named_entries = 12;
constexpr std::size_t numbered_entries = 14;
constexpr std::size_t directory_size = 16;
constexpr std::size_t entry_size = 8;
constexpr std::size_t data_size = 16;
constexpr std::uint32_t high_bit = 0x80000000U; // of a name: text; of an offset: directory

} // namespace resource_layout

} // namespace

// The message tables of an image, as one.

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

// The tree of an image's resources: types, names, languages.

namespace {

bool is_of(const ResourceName& name, const ResourceType& type) noexcept {
    return type.text.empty() ? name.text.empty() && name.number == type.number : name == type.text;
}

} // namespace

/// One branch of the tree: type, name, language.
class PeImage::TreeReader {
public:
    TreeReader(const symbols::PeFile& image, const symbols::PeFile::Placed& root)
        : image_(image), root_(root), left_bytes_(image.bytes().size()) {}

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
        if (!has_range(root_.bytes, offset, layout::directory_size)) {
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
        if (!has_range(directory, layout::directory_size, count * layout::entry_size)) {
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
            return fail(ErrorCode::limit, "overlapping resources", where, image_.bytes().size());
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
        if (!has_range(root_.bytes, language.offset, resource_layout::data_size)) {
            return std::unexpected(
                truncated("resource entry", language.offset, resource_layout::data_size));
        }
        Cursor in(root_.bytes.subspan(language.offset));
        const std::uint32_t address = in.u32("address");
        const std::uint32_t size = in.u32("size");
        const std::uint32_t code_page = in.u32("code page");
        const symbols::PeFile::Placed data = image_.at(address);
        const Bytes bytes = clamped(data.bytes, 0, size);
        found_.push_back(
            {type.name, name.name, language.name.number, code_page, bytes, data.where, size});
        return charge(bytes.size(), root_.where + language.offset);
    }

    const symbols::PeFile& image_;
    symbols::PeFile::Placed root_;
    std::size_t left_ = limits::image_resources;
    std::size_t left_bytes_; // resources together are no larger than the file
    std::vector<Resource> found_;
};

Result<std::vector<Resource>> PeImage::resources(const ResourceType& type) const {
    const std::uint32_t tree = file_.directory(resource_layout::data_directory).begin;
    if (tree == 0) {
        return std::vector<Resource>{};
    }
    return TreeReader(file_, file_.at(tree)).read(type);
}

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
    return symbols::is_image(file);
}

Result<PeImage> PeImage::parse(Bytes file) {
    auto opened = symbols::PeFile::open(file);
    if (!opened) {
        return std::unexpected(opened.error());
    }
    return PeImage(std::move(*opened));
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
