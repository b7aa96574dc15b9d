// The tree of an image's resources: types, names, languages.
#include "base/cursor.hpp"
#include "schema/image.hpp"
#include "schema/image/image_layout.hpp"
#include "schema/image/resource_bytes.hpp"
#include "schema/limits.hpp"

#include <utility>

namespace etl::schema {

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

} // namespace etl::schema
