// What the parts of the WEVT_TEMPLATE parser share: bounded access, texts, notes, the memory
// budget. One thread.
#pragma once

#include <etl/error.hpp>
#include <etl/guid.hpp>

#include "base/layout.hpp"
#include "schema/limits.hpp"
#include "schema/wevt.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace etl::schema {

// The parts of a WEVT_TEMPLATE resource. Offsets are relative to its beginning.
// docs/format/images.md#wevt-template

/// Four letters as they lie in the file.
consteval std::uint32_t signature(const char (&letters)[5]) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) {
        value = value << 8U | static_cast<std::uint8_t>(letters[i]);
    }
    return value;
}

inline constexpr std::uint32_t no_message = 0xFFFFFFFFU;

namespace crim_layout {

inline constexpr std::uint32_t magic = signature("CRIM");

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint32_t> total{4};
inline constexpr etl::LayoutField<std::uint16_t> major{8};
inline constexpr etl::LayoutField<std::uint16_t> minor{10};
inline constexpr etl::LayoutField<std::uint32_t> providers{12};
inline constexpr std::size_t size = 16;
static_assert(tiles<size>(signature, total, major, minor, providers));

} // namespace crim_layout

/// One for each provider, behind the header.
namespace crim_entry_layout {

inline constexpr etl::LayoutField<Guid> guid{0};
inline constexpr etl::LayoutField<std::uint32_t> provider{16};
inline constexpr std::size_t size = 20;
static_assert(tiles<size>(guid, provider));

} // namespace crim_entry_layout

/// A provider; pairs of (kind, offset) of its elements follow.
namespace wevt_layout {

inline constexpr std::uint32_t magic = signature("WEVT");

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint32_t> total{4};
inline constexpr etl::LayoutField<std::uint32_t> message{8};
inline constexpr etl::LayoutField<std::uint32_t> elements{12};
inline constexpr std::size_t size = 16;
static_assert(tiles<size>(signature, total, message, elements));

inline constexpr std::size_t element_size = 8;

} // namespace wevt_layout

/// An element; entries of one size follow.
namespace element_layout {

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint32_t> total{4}; // 0 when there is no entry
inline constexpr etl::LayoutField<std::uint32_t> count{8};
inline constexpr std::size_t size = 12;
static_assert(tiles<size>(signature, total, count));

inline constexpr std::uint32_t channels = schema::signature("CHAN");
inline constexpr std::uint32_t levels = schema::signature("LEVL");
inline constexpr std::uint32_t tasks = schema::signature("TASK");
inline constexpr std::uint32_t opcodes = schema::signature("OPCO");
inline constexpr std::uint32_t keywords = schema::signature("KEYW");
inline constexpr std::uint32_t events = schema::signature("EVNT");
inline constexpr std::uint32_t attributes = schema::signature("PRVA");

} // namespace element_layout

namespace channel_layout {

inline constexpr etl::LayoutField<std::uint32_t> flags{0}; // 1: imported
inline constexpr etl::LayoutField<std::uint32_t> name{4};
inline constexpr etl::LayoutField<std::uint32_t> number{8};
inline constexpr etl::LayoutField<std::uint32_t> message{12};
inline constexpr std::size_t size = 16;
static_assert(tiles<size>(flags, name, number, message));

} // namespace channel_layout

/// Levels and opcodes.
namespace named_layout {

inline constexpr etl::LayoutField<std::uint32_t> number{0}; // opcode: task, opcode << 16
inline constexpr etl::LayoutField<std::uint32_t> message{4};
inline constexpr etl::LayoutField<std::uint32_t> name{8};
inline constexpr std::size_t size = 12;
static_assert(tiles<size>(number, message, name));

} // namespace named_layout

namespace task_layout {

inline constexpr etl::LayoutField<std::uint32_t> number{0};
inline constexpr etl::LayoutField<std::uint32_t> message{4};
inline constexpr etl::LayoutField<Guid> guid{8};
inline constexpr etl::LayoutField<std::uint32_t> name{24};
inline constexpr std::size_t size = 28;
static_assert(tiles<size>(number, message, guid, name));

} // namespace task_layout

namespace keyword_layout {

inline constexpr etl::LayoutField<std::uint64_t> mask{0};
inline constexpr etl::LayoutField<std::uint32_t> message{8};
inline constexpr etl::LayoutField<std::uint32_t> name{12};
inline constexpr std::size_t size = 16;
static_assert(tiles<size>(mask, message, name));

} // namespace keyword_layout

/// PRVA.
namespace attribute_layout {

inline constexpr etl::LayoutField<std::uint32_t> kind{0};
inline constexpr etl::LayoutField<std::uint32_t> value{4};
inline constexpr std::size_t size = 8;
static_assert(tiles<size>(kind, value));

inline constexpr std::uint32_t provider_name = 0x10000001; // bare UTF-16 with a NUL

} // namespace attribute_layout

/// VMAP, BMAP: (value, message) pairs follow. Public documents know a head without flags too.
namespace map_layout {

inline constexpr std::uint32_t value_map = schema::signature("VMAP");
inline constexpr std::uint32_t bit_map = schema::signature("BMAP");

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint32_t> total{4};
inline constexpr etl::LayoutField<std::uint32_t> name{8};
inline constexpr etl::LayoutField<std::uint32_t> flags{12};
inline constexpr etl::LayoutField<std::uint32_t> count{16};
inline constexpr std::size_t size = 20;
static_assert(tiles<size>(signature, total, name, flags, count));

inline constexpr std::size_t size_without_flags = 16;
inline constexpr std::size_t entry_size = 8;

} // namespace map_layout

namespace template_layout {

inline constexpr std::uint32_t magic = schema::signature("TEMP");

inline constexpr etl::LayoutField<std::uint32_t> signature{0};
inline constexpr etl::LayoutField<std::uint32_t> total{4};
inline constexpr etl::LayoutField<std::uint32_t> top_level{8};
inline constexpr etl::LayoutField<std::uint32_t> properties{12}; // members of structures included
inline constexpr etl::LayoutField<std::uint32_t> items{16};      // offset of the first property
inline constexpr etl::LayoutField<std::uint32_t> kind{20};
inline constexpr etl::LayoutField<Guid> guid{24};
inline constexpr std::size_t size = 40; // the XML follows
static_assert(tiles<size>(signature, total, top_level, properties, items, kind, guid));

inline constexpr std::uint32_t user_data = 2; // kind; 1: EventData

} // namespace template_layout

/// A property. Its flags are not those of TRACE_EVENT_INFO.
namespace item_layout {

inline constexpr etl::LayoutField<std::uint32_t> flags{0};
inline constexpr etl::LayoutField<std::uint8_t> in_type{4};
inline constexpr etl::LayoutField<std::uint8_t> out_type{5};
inline constexpr etl::LayoutField<std::uint16_t> first_member{
    4}; // of a structure, instead of types
inline constexpr etl::LayoutField<std::uint16_t> members{6};
inline constexpr etl::LayoutField<std::uint32_t> map{8}; // offset; 0: none
inline constexpr etl::LayoutField<std::uint16_t> count{12};
inline constexpr etl::LayoutField<std::uint16_t> length{14};
inline constexpr etl::LayoutField<std::uint32_t> name{16};
inline constexpr std::size_t size = 20;
static_assert(tiles<size>(flags, first_member, members, map, count, length, name));

inline constexpr std::uint32_t is_structure = 0x01;
inline constexpr std::uint32_t fixed_length = 0x02;
inline constexpr std::uint32_t length_by_field = 0x04;
inline constexpr std::uint32_t fixed_count = 0x08;
inline constexpr std::uint32_t count_by_field = 0x10;

} // namespace item_layout

/// EVNT has four bytes more in its head than other elements.
namespace event_layout {

inline constexpr std::size_t first = 16;

inline constexpr etl::LayoutField<std::uint16_t> id{0};
inline constexpr etl::LayoutField<std::uint8_t> version{2};
inline constexpr etl::LayoutField<std::uint8_t> channel{3};
inline constexpr etl::LayoutField<std::uint8_t> level{4};
inline constexpr etl::LayoutField<std::uint8_t> opcode{5};
inline constexpr etl::LayoutField<std::uint16_t> task{6};
inline constexpr etl::LayoutField<std::uint64_t> keyword{8};
inline constexpr etl::LayoutField<std::uint32_t> message{16};
inline constexpr etl::LayoutField<std::uint32_t> payload{
    20}; // offset of the template, as all below
inline constexpr etl::LayoutField<std::uint32_t> opcode_entry{24};
inline constexpr etl::LayoutField<std::uint32_t> level_entry{28};
inline constexpr etl::LayoutField<std::uint32_t> task_entry{32};
inline constexpr etl::LayoutField<std::uint32_t> keywords{36};
inline constexpr etl::LayoutField<std::uint32_t> keyword_entries{40};
inline constexpr etl::LayoutField<std::uint32_t> channel_entry{44};
inline constexpr std::size_t size = 48;
static_assert(tiles<size>(id, version, channel, level, opcode, task, keyword, message, payload,
                          opcode_entry, level_entry, task_entry, keywords, keyword_entries,
                          channel_entry));

} // namespace event_layout

/// The entries of one element, as far as they are there.
struct WevtElement {
    std::uint32_t signature = 0;
    std::uint32_t first = 0; // offset of the first entry
    std::uint32_t count = 0; // of entries that lie inside of the resource
};

/// Memory that the schemas of all resources of an image may still take.
struct WevtBudget {
    std::size_t left = limits::manifest_schema_bytes;
};

class WevtReading {
public:
    WevtReading(Bytes crim, MessageLookup messages, const WevtOptions& options, WevtBudget& budget)
        : crim_(crim), messages_(messages), where_(options.where), budget_(budget) {}

    Bytes crim() const noexcept { return crim_; }

    /// A structure of fixed size; null: it does not lie inside, which is noted.
    template <std::size_t size>
    std::optional<std::span<const std::byte, size>> at(std::size_t offset, const char* what) {
        if (!has_range(crim_, offset, size)) {
            note({ErrorCode::truncated, what, FileOffset{offset}, size,
                  clamped(crim_, offset).size(), 0});
            return std::nullopt;
        }
        return crim_.subspan(offset).first<size>();
    }

    /// The same for one that is known to lie inside.
    template <std::size_t size>
    std::span<const std::byte, size> inside(std::size_t offset) const noexcept {
        return crim_.subspan(offset).first<size>();
    }

    /// The head of an element, and how many entries of `entry_size` there are from `first` on,
    /// counted from its beginning; a count that says more is noted.
    std::optional<WevtElement> element(std::size_t offset);
    WevtElement with_entries(WevtElement element, std::size_t first, std::size_t entry_size);

    /// A text with its size in front; empty for offset 0. Booked.
    std::string text(std::uint32_t offset, const char* what);
    /// A bare text up to a NUL.
    std::string bare_text(std::uint32_t offset, const char* what);
    /// A message as a copy that is booked; empty: there is none.
    std::string message(std::uint32_t id);

    /// Keeps a finding; beyond limits::manifest_notes only their existence. Offsets count from the
    /// beginning of the resource.
    void note(const Error& error);
    FileError rejected(const Error& error) const;

    /// Books memory that the schemas take. False: the budget is used up, stop.
    bool charge(std::size_t bytes) noexcept;

    bool exhausted() const noexcept { return exhausted_; }

    SchemaSet result;

private:
    std::string booked(Bytes utf16);

    Bytes crim_;
    MessageLookup messages_;
    FileOffset where_;
    WevtBudget& budget_;
    bool exhausted_ = false;
};

} // namespace etl::schema
