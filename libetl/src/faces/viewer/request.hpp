// What a page asks, out of JSON. docs/view.md#interface
#pragma once

#include <etl/questions.hpp>
#include <etl/time.hpp>

#include "rows/writer.hpp"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::viewer {

/// A request, and a text in it; more is an error.
inline constexpr std::size_t max_request = std::size_t{1} << 20U, max_text = 8192;
/// Texts in a list.
inline constexpr std::size_t max_list = 4096;

/// What is wrong with a request.
struct Problem {
    std::string what;
    std::string about; // the member; empty: all of it
};

/// A track by which `lod` selects.
struct TrackName {
    std::string kind;
    std::optional<std::uint32_t> pid{};
    std::string process{};
    std::optional<std::uint64_t> id{};
    std::string name{};
};

/// The members of all requests; each uses some of them. What is missing has its default.
struct Request {
    std::uint64_t question = 0; // for `cancel`; 0: it cannot be canceled
    std::string token{};        // of `enter`
    std::uint64_t revision = 0; // of `wait`
    explore::Selection selection{};
    explore::Rows rows{}; // `first`, `count`

    /// The question is about the trace to compare with, alone.
    bool is_about_before = false;

    /// The answer compares with the other trace, in the window `before_from` to `before_to`; if
    /// both are empty, in the same window from its own begin.
    bool is_compared = false;
    std::string before_from{}, before_to{};

    // Tables.
    std::string name{}, by{}, source{}, sort{};
    std::uint32_t slices = explore::TableQuestion{}.slices;
    std::uint32_t per_kind = explore::TableQuestion{}.per_kind;
    bool excludes_interrupts = false, is_reversed = false;
    rows::Format format = rows::Format::csv; // of `export`

    // Pictures.
    std::uint32_t columns = explore::LodQuestion{}.columns;
    std::vector<std::string> kinds{};
    std::optional<std::vector<TrackName>> tracks{}; // none: all

    // Flame graphs.
    std::string kind = explore::FlameQuestion{}.kind;
    double smallest_share = 0.0;
    std::uint32_t largest_depth = 0, nodes = 20'000;
    std::string grouping{}, folding{}, include{}, exclude{}, focus{};
    double fold_percent = 0.0;
    bool is_inverted = false;

    // Events.
    std::vector<std::string> fields{};
    std::string text{};
    std::uint64_t from_row = 0;
    explore::EventPlace place{}; // `input`, `buffer`, `offset`
    std::uint32_t tid = 0;
    std::string at{};
};

/// Parses a request: any bytes.
std::expected<Request, Problem> parse_request(std::string_view json);

/// Returns a time of a request that is a FILETIME; nothing: it has another form.
std::optional<Filetime> filetime_of(std::string_view time) noexcept;

} // namespace etl::viewer
