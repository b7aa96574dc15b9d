// Resources of portable executables (.exe, .dll, .sys, .mui). Reads only the headers, the section
// table, and the requested branch of the resource tree. Views; thread-safe.
// docs/format/images.md#pe
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "base/culture.hpp"
#include "base/layout.hpp"
#include "schema/message_table.hpp"
#include "symbols/pe_file.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace etl::schema {

/// The name of a resource on one level of the tree: a number or a text.
struct ResourceName {
    std::uint16_t number = 0;
    Bytes text; // UTF-16LE, in place; empty: the name is a number

    bool operator==(std::u16string_view name) const noexcept;
};

struct Resource {
    ResourceName type;
    ResourceName name;
    LanguageId language = neutral_language;
    std::uint32_t code_page = 0;
    Bytes bytes; // the bytes present in the file
    FileOffset where{};
    std::uint32_t size = 0; // declared size
};

/// The type of resource to look for.
struct ResourceType {
    std::uint16_t number = 0;
    std::u16string_view text{}; // empty: identified by number
};

inline constexpr ResourceType message_table_type{11, {}}; // RT_MESSAGETABLE
inline constexpr ResourceType wevt_template_type{0, u"WEVT_TEMPLATE"};

class PeImage {
public:
    /// Returns whether the first two bytes are those of an executable.
    static bool is_likely(Bytes file) noexcept;

    /// Reads the headers. `file` must outlive the image and all resources. Errors: truncated,
    /// malformed (not a PE image), limit (symbols::limits::sections).
    static Result<PeImage> parse(Bytes file);

    /// Returns the resources of one type in tree order; possibly none. A resource outside the file
    /// has no bytes; a truncated resource has the bytes that exist. Errors: truncated, malformed
    /// (the tree), limit (limits::image_resources; resources and names whose total size exceeds the
    /// file).
    Result<std::vector<Resource>> resources(const ResourceType& type) const;

private:
    class TreeReader;

    explicit PeImage(symbols::PeFile file) noexcept : file_(std::move(file)) {}

    symbols::PeFile file_;
};

/// Returns the first missing part of a truncated executable: headers, resource tree, WEVT_TEMPLATE
/// resources, or message tables. Empty if all of these are present, or if the file is not an
/// executable for another reason.
std::optional<Error> find_truncation(Bytes image);

/// Sorts resources by language, best first. Stable.
void sort_by_language(std::vector<Resource>& resources, const CultureChain& cultures);

/// The texts of an image.
struct ImageTexts {
    MessageTable table;
    std::optional<Error> damage{}; // error of the first message table that was skipped
};

/// Returns the texts of all message tables of an image; if an ID exists in several languages, the
/// best by `cultures`. Damaged tables (MessageTable::parse) are skipped. Errors: those of PeImage;
/// limit (out of memory).
Result<ImageTexts> read_messages(Bytes image, const CultureChain& cultures);

// What the readers of executables and of their resources share. Pure; any thread. Private to
// schema.

/// A number at an offset that is known to lie inside.
template <typename T>
T load_at(Bytes bytes, std::size_t offset) noexcept {
    return load_le<T>(bytes.data() + offset);
}

/// Text in units of 1 or 2 bytes up to the first NUL: what follows pads it.
inline Bytes until_zero(Bytes text, std::size_t unit) noexcept {
    for (std::size_t at = 0; text.size() - at >= unit; at += unit) {
        if (text[at] == std::byte{0} && text[at + unit - 1] == std::byte{0}) {
            return text.first(at);
        }
    }
    return text;
}

} // namespace etl::schema
