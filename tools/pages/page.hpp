// Pages of HTML that contain all that they need: styles, scripts, data.
// docs/flame.md#page
//
// Styles and scripts are the files of tools/pages, embedded when `etl` is built
// (cmake/embed_pages.cmake). A page may run these scripts only, and load nothing: its content
// security policy names their hashes. Scripts make elements from data as text, never as markup.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace cli {

/// A style (.css) or script (.mjs) of tools/pages.
struct PageFile {
    std::string_view name;   // `values.mjs`
    std::string_view text;   // of a script: without `import` lines and the word `export`
    std::string_view sha256; // of the text, in Base64
};

/// All files, by name.
std::span<const PageFile> page_files() noexcept;

struct Page {
    std::string_view title;
    /// Names of files in order: scripts after those that they import. They share one global scope.
    std::span<const std::string_view> files;
    std::string_view data;   // JSON; the scripts find it as the text of the element `data`
    bool has_server = false; // the page may ask where it comes from
};

/// The files of a flame graph, for pages that contain one: renderFlame(element, data).
std::span<const std::string_view> flame_graph_files() noexcept;

/// The files of the page of `etl view` (tools/pages/view), which has no data.
std::span<const std::string_view> viewer_files() noexcept;

/// Returns text as content or attribute of HTML and XML, with characters that are not shown or
/// change the direction of the text escaped, as the scripts do it (values.mjs). Any bytes.
std::string markup_of(std::string_view text);

/// Returns the page: an empty element `page`, the data, and the scripts.
std::string html_of(const Page& page);

} // namespace cli
