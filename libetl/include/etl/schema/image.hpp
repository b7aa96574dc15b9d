// Portable executables (.exe, .dll, .sys, .mui) as far as their resources go: PE32 and PE32+. Reads
// headers, section table and the branch of the resource tree that is asked for, nothing else of the
// file. Views; any thread. docs/format/images.md#pe
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/culture.hpp>
#include <etl/base/result.hpp>
#include <etl/schema/message_table.hpp>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace etl::schema {

/// What a resource is called on one level of the tree: a number, or a text.
struct ResourceName {
    std::uint16_t number = 0;
    Bytes text; // UTF-16LE as it lies in the file; empty: it has a number

    bool operator==(std::u16string_view name) const noexcept;
};

struct Resource {
    ResourceName type;
    ResourceName name;
    LanguageId language = neutral_language;
    std::uint32_t code_page = 0;
    Bytes bytes; // as far as the file has them
    FileOffset where{};
    std::uint32_t size = 0; // how many there should be
};

/// A kind of resource to look for.
struct ResourceType {
    std::uint16_t number = 0;
    std::u16string_view text{}; // empty: the number counts
};

inline constexpr ResourceType message_table_type{11, {}}; // RT_MESSAGETABLE
inline constexpr ResourceType wevt_template_type{0, u"WEVT_TEMPLATE"};

class PeImage {
public:
    /// True when the file begins like an executable; costs two bytes.
    static bool is_likely(Bytes file) noexcept;

    /// Reads the headers. `file` must outlive the image and all resources. Errors: truncated,
    /// malformed (no PE image), limit (limits::image_sections).
    static Result<PeImage> parse(Bytes file);

    /// The resources of one type in the order of the tree; none is no error. What lies outside of
    /// the file has no bytes, what is cut has some. Errors: truncated, malformed (the tree), limit
    /// (limits::image_resources; resources and their names that are together larger than the file).
    Result<std::vector<Resource>> resources(const ResourceType& type) const;

private:
    struct Section {
        std::uint32_t address;      // where it will lie in memory
        std::uint32_t memory_bytes; // there
        std::uint32_t file_offset;
        std::uint32_t file_bytes;
    };

    /// What lies at an address of the loaded image, up to the end of its section.
    struct Placed {
        Bytes bytes;
        FileOffset where{};
    };

    class TreeReader;

    explicit PeImage(Bytes file) noexcept : file_(file) {}

    Result<void> read_sections(std::size_t table, std::size_t count);
    Placed at_address(std::uint32_t address) const noexcept;

    Bytes file_;
    std::vector<Section> sections_;
    std::uint32_t resource_address_ = 0; // 0: has none
};

/// What a truncated executable lacks first: of its headers, its tree of resources, its
/// WEVT_TEMPLATE resources and message tables. None: all of that is in the file, or it is no
/// executable for another reason.
std::optional<Error> find_truncation(Bytes image);

/// Puts the best languages first; equally good ones keep their order.
void sort_by_language(std::vector<Resource>& resources, const CultureChain& cultures);

/// The texts of an image.
struct ImageTexts {
    MessageTable table;
    std::optional<Error> damage{}; // of the first message table that is left out
};

/// The texts of all message tables of an image: where an id is in several languages, the best by
/// `cultures`. An image without any gives none; a table that is damaged, as MessageTable::parse
/// says, is left out. Errors: as PeImage, and limit when there is not enough memory.
Result<ImageTexts> read_messages(Bytes image, const CultureChain& cultures);

} // namespace etl::schema
