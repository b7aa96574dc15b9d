// What the parts of the WEVT_TEMPLATE parser share: bounded access, texts, notes, the memory
// budget. One thread.
#pragma once

#include "base/layout.hpp"
#include "base/result.hpp"
#include "schema/image/wevt_layout.hpp"
#include "schema/limits.hpp"
#include "schema/wevt.hpp"

#include <optional>
#include <string>

namespace etl::schema {

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
