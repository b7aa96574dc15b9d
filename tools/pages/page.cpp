#include "pages/page.hpp"

#include "base/readable_text.hpp"
#include "base/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace cli {

namespace {

constexpr std::string_view flame_files[] = {
    "page.css",         "flame_graph.css", "values.mjs",     "elements.mjs",    "flame_tree.mjs",
    "flame_colors.mjs", "flame_texts.mjs", "flame_view.mjs", "flame_table.mjs", "flame_graph.mjs"};

constexpr std::string_view view_files[] = {"page.css",
                                           "flame_graph.css",
                                           "view.css",
                                           "elements.mjs",
                                           "view_actions.mjs",
                                           "view_client.mjs",
                                           "values.mjs",
                                           "commands.mjs",
                                           "view_controls.mjs",
                                           "name_colors.mjs",
                                           "view_colors.mjs",
                                           "time_axis.mjs",
                                           "view_time.mjs",
                                           "view_live.mjs",
                                           "view_alignment.mjs",
                                           "view_alignment_bar.mjs",
                                           "view_header.mjs",
                                           "view_moving.mjs",
                                           "view_lod.mjs",
                                           "view_overview.mjs",
                                           "view_complete.mjs",
                                           "report_model.mjs",
                                           "report_commands.mjs",
                                           "view_bytes.mjs",
                                           "view_detail.mjs",
                                           "view_grid.mjs",
                                           "view_rows.mjs",
                                           "view_menu.mjs",
                                           "view_rules.mjs",
                                           "view_rules_dialog.mjs",
                                           "view_events.mjs",
                                           "flame_tree.mjs",
                                           "flame_colors.mjs",
                                           "flame_table.mjs",
                                           "flame_texts.mjs",
                                           "flame_view.mjs",
                                           "flame_graph.mjs",
                                           "view_flames.mjs",
                                           "report_values.mjs",
                                           "view_subjects.mjs",
                                           "view_follow.mjs",
                                           "view_save.mjs",
                                           "view_regions.mjs",
                                           "view_order.mjs",
                                           "view_places.mjs",
                                           "address.mjs",
                                           "view_state.mjs",
                                           "view_spans.mjs",
                                           "view_region_list.mjs",
                                           "view_marks.mjs",
                                           "view_table.mjs",
                                           "view_panels.mjs",
                                           "view_dragging.mjs",
                                           "view_labels.mjs",
                                           "view_describe.mjs",
                                           "view_pointing.mjs",
                                           "view_paint.mjs",
                                           "view_chain.mjs",
                                           "view_timeline.mjs",
                                           "view_strip.mjs",
                                           "view_tracks.mjs",
                                           "view_match.mjs",
                                           "view_before.mjs",
                                           "view_viewer.mjs",
                                           "view_page.mjs"};

bool is_script(const PageFile& file) noexcept {
    return file.name.ends_with(".mjs");
}

const PageFile& file_named(std::string_view name) {
    return *std::ranges::find(page_files(), name, &PageFile::name);
}

/// Only the embedded files apply. Data blocks are not executed and need no hash.
std::string policy_of(const Page& page) {
    std::string scripts, styles;
    for (const std::string_view name : page.files) {
        const PageFile& file = file_named(name);
        (is_script(file) ? scripts : styles) += fmt::format(" 'sha256-{}'", file.sha256);
    }
    return fmt::format("default-src 'none'; script-src{}; style-src{}; img-src data:;{} base-uri "
                       "'none'; form-action 'none'",
                       scripts, styles, page.has_server ? " connect-src 'self';" : "");
}

/// JSON that cannot end the element: `<` occurs in texts only.
void append_data(std::string& to, std::string_view json) {
    for (std::size_t at = 0; at < json.size();) {
        const std::size_t next = std::min(json.find('<', at), json.size());
        to.append(json, at, next - at);
        to += next < json.size() ? "\\u003c" : "";
        at = next + 1;
    }
}

} // namespace

std::string markup_of(std::string_view text) {
    std::string visible, to;
    etl::append_escaped(visible, text);
    etl::append_xml_escaped(to, visible);
    return to;
}

std::span<const std::string_view> flame_graph_files() noexcept {
    return flame_files;
}

std::span<const std::string_view> viewer_files() noexcept {
    return view_files;
}

std::string html_of(const Page& page) {
    std::string html =
        fmt::format("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                    "<meta name=\"generator\" content=\"etl " ETL_VERSION "\">\n"
                    "<link rel=\"icon\" href=\"data:,\">\n<title>{}</title>\n",
                    policy_of(page), markup_of(page.title));
    for (const std::string_view name : page.files) {
        if (const PageFile& file = file_named(name); !is_script(file)) {
            html += fmt::format("<style>{}</style>\n", file.text);
        }
    }
    html += "</head>\n<body>\n<main id=\"page\"></main>\n"
            "<noscript>This page needs JavaScript, which is part of it.</noscript>\n"
            "<script type=\"application/json\" id=\"data\">";
    append_data(html, page.data);
    html += "</script>\n";
    for (const std::string_view name : page.files) {
        if (const PageFile& file = file_named(name); is_script(file)) {
            html += fmt::format("<script>{}</script>\n", file.text);
        }
    }
    return html + "</body>\n</html>\n";
}

} // namespace cli
