// What readers of schema files share: how many notes they keep, and how much memory the schemas of
// one file may take. One thread. Private to schema.
#pragma once

#include "schema/limits.hpp"
#include "schema/schema_set.hpp"

#include <expected>
#include <new>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace etl::schema {

// How much of a file's own text a remark about it may quote. Pure; any thread.

/// The first `max` bytes at the most, cut between UTF-8 characters.
constexpr std::string_view clipped(std::string_view text, std::size_t max) noexcept {
    std::size_t size = max;
    while (size > 0 && size < text.size() && (text[size] & '\xC0') == '\x80') {
        --size;
    }
    return text.substr(0, size);
}

/// Keeps a finding; beyond limits::manifest_notes only that there are more.
inline void add_note(std::vector<FileNote>& notes, FileNote note) {
    if (notes.size() == limits::manifest_notes) {
        note.text = "more remarks omitted";
    }
    if (notes.size() <= limits::manifest_notes) {
        notes.push_back(std::move(note));
    }
}

class SchemaBudget {
public:
    /// Books memory that the schemas take. False: limits::manifest_schema_bytes is reached, stop.
    bool charge(std::size_t bytes) noexcept {
        exhausted_ = exhausted_ || bytes > left_;
        left_ -= exhausted_ ? 0 : bytes;
        return !exhausted_;
    }

    bool exhausted() const noexcept { return exhausted_; }

private:
    std::size_t left_ = limits::manifest_schema_bytes;
    bool exhausted_ = false;
};

// What keeps a hostile file from ending the program by the memory it asks for.

/// What `read` gives, a std::expected with FileError; an error when it runs out of memory. For the
/// entry points, around all that they do.
template <typename F>
std::invoke_result_t<F> guarded(F read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return std::unexpected(FileError{0, "not enough memory"});
    } catch (const std::length_error&) { // a container's own bound, met first
        return std::unexpected(FileError{0, "not enough memory"});
    }
}

/// The same for scans, whose empty result says that nothing was found.
template <typename F>
std::invoke_result_t<F> guarded_scan(F scan) {
    try {
        return scan();
    } catch (const std::bad_alloc&) {
        return {};
    } catch (const std::length_error&) {
        return {};
    }
}

} // namespace etl::schema
