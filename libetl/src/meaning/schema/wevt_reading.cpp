#include "schema/wevt_reading.hpp"

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "schema/file_reading.hpp"
#include "schema/image.hpp"
#include "schema/limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace etl::schema {

std::optional<WevtElement> WevtReading::element(std::size_t offset) {
    const auto head = at<element_layout::size>(offset, "element of a provider");
    if (!head) {
        return std::nullopt;
    }
    return WevtElement{load<element_layout::signature>(*head), static_cast<std::uint32_t>(offset),
                       load<element_layout::count>(*head)};
}

WevtElement WevtReading::with_entries(WevtElement element, std::size_t first,
                                      std::size_t entry_size) {
    const std::size_t begin = element.first + first;
    const std::size_t room = clamped(crim_, begin).size() / entry_size;
    if (element.count > room) {
        note({ErrorCode::truncated, "entries of an element", FileOffset{begin},
              std::uint64_t{element.count} * entry_size, clamped(crim_, begin).size(), 0});
        element.count = static_cast<std::uint32_t>(room);
    }
    if (!charge(element.count * entry_size)) { // several providers may share one element
        element.count = 0;
    }
    element.first = static_cast<std::uint32_t>(begin);
    return element;
}

std::string WevtReading::booked(Bytes utf16) {
    if (!charge(utf16.size())) {
        return {};
    }
    std::string text;
    append_utf16le(text, until_zero(utf16, 2));
    return text;
}

std::string WevtReading::text(std::uint32_t offset, const char* what) {
    if (offset == 0) {
        return {};
    }
    Cursor in(clamped(crim_, offset), FileOffset{offset});
    const std::uint32_t size = in.u32(what);
    const Bytes units = in.bytes(what, std::max<std::uint32_t>(size, 4) - 4);
    if (!in) {
        note(in.error());
        return {};
    }
    return booked(units);
}

std::string WevtReading::bare_text(std::uint32_t offset, const char* what) {
    Cursor in(clamped(crim_, offset), FileOffset{offset});
    const Bytes units = in.zero_terminated16(what);
    if (!in) {
        charge(clamped(crim_, offset).size());
        note(in.error());
        return {};
    }
    return booked(units);
}

std::string WevtReading::message(std::uint32_t id) {
    const std::string* text = id == no_message ? nullptr : messages_(id);
    return text != nullptr && charge(text->size()) ? *text : std::string();
}

void WevtReading::note(const Error& error) {
    if (result.notes.size() <= limits::manifest_notes) { // wording costs time
        add_note(result.notes, {0, rejected(error).reason});
    }
}

FileError WevtReading::rejected(const Error& error) const {
    Error moved = error;
    moved.where = error.where + where_.value;
    return {0, fmt::format("WEVT_TEMPLATE: {}", describe(moved)), 0};
}

bool WevtReading::charge(std::size_t bytes) noexcept {
    if (bytes > budget_.left) {
        exhausted_ = true;
        return false;
    }
    budget_.left -= bytes;
    return true;
}

} // namespace etl::schema
