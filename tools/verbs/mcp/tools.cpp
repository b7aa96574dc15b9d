#include "verbs/mcp/tools.hpp"

#include "analysis/tables.hpp"
#include "base/json_object.hpp"
#include "cli/help.hpp"
#include "cli/option_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <ranges>
#include <vector>

namespace cli::mcp {

namespace {

using etl::analysis::TableKind;
using Words = std::vector<std::string_view>;

Words words_of(std::string_view text) {
    Words words;
    for (const auto word : std::views::split(text, ' ')) {
        words.emplace_back(word);
    }
    return words;
}

Words with(Words words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// `options`: of a table with one form; `forms`: of one with several.
std::vector<Tool> table_tools(const Words& filters, const Words& options, const Words& forms) {
    std::vector<const TableKind*> kinds(etl::analysis::tables().begin(),
                                        etl::analysis::tables().end());
    std::erase_if(kinds, [](const TableKind* kind) { return kind->summary.empty(); });
    std::ranges::stable_sort(kinds, {}, &TableKind::mcp_place);
    std::vector<Tool> tools;
    for (const TableKind* const kind : kinds) {
        Tool& tool = tools.emplace_back(kind->name, kind->question,
                                        kind->forms.size() > 1 ? forms : options);
        if (!kind->mcp_options.empty()) {
            tool.options = with(filters, words_of(kind->mcp_options));
        }
    }
    return tools;
}

std::vector<Tool> make_tools() {
    const Words filters{"where", "process", "from", "to"};
    const Words list = with(filters, {"sort", "limit", "format"});
    const Words table = with(list, {"by"});
    const Words capture{"component", "nic", "drops", "no-drops"};
    using Files = Tool::Files;
    std::vector<Tool> tools{
        {"report", "Start here", filters, Files::one, "--brief"},
        {"report", "What happened between two times (from, to): the largest rows of each table",
         filters, Files::one, "--window", false, "window"},
        {"info", "Which providers, and which schemas are missing?", {"needs", "decode"}},
        {"check", "Is the trace damaged, or were events lost?"},
        {"dump", "The events themselves, with all fields",
         with(filters, {"skip", "limit", "fields", "format", "message", "enrich", "names"})}};
    std::ranges::move(table_tools(filters, list, table), std::back_inserter(tools));
    const Tool others[] = {
        {"top", "The largest consumers", table},
        {"diff", "The first file is before, the second after", with(table, {"table"}), Files::two},
        {"flame", "Where the time went: stacks, heaviest first",
         with(filters, {"kind", "source", "nodes"}), Files::several, "--format=tree"},
        {"sql",
         "Questions that no table answers. `tables` lists tables and columns; SELECT on `events` "
         "groups, joins, and sorts",
         {"tables", "format"},
         Files::several,
         "",
         true},
        {"symbols", "Which PDB files are missing for names of functions?"},
        {"packets", "One per line", with(with(filters, {"skip", "limit", "format"}), capture)},
        {"flows", "Hosts, ports, bytes, retransmissions", with(list, capture)}};
    tools.insert(tools.end(), std::begin(others), std::end(others));
    return tools;
}

bool is_flag(const Option& option) {
    return option.max_items() == 0;
}

/// Without `(docs/filters.md)`: an assistant has no pages, and needs short texts.
std::string without_pages(std::string text) {
    constexpr std::string_view begin = " (docs/";
    for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin)) {
        text.erase(at, text.find(')', at) - at + 1);
    }
    return text;
}

/// The schema of an argument, by the option that it sets.
std::string property(const Option& option) {
    const bool is_number = option.get_type_name() == "N";
    etl::JsonObject schema;
    if (is_flag(option)) {
        schema.text("type", "boolean");
    } else if (option.max_items() > 1) {
        schema.text("type", "array").raw("items", etl::JsonObject().text("type", "string").take());
    } else {
        schema.text("type", is_number ? "integer" : "string");
    }
    if (const auto choices = choices_of(option); !choices.empty()) {
        etl::JsonList list;
        for (const std::string& choice : choices) {
            list.text(choice);
        }
        schema.raw("enum", list.take());
    }
    schema.text("description", without_pages(option.get_description()));
    if (option.long_names().front() == "limit") {
        schema.raw("default", default_rows);
    }
    return schema.take();
}

std::string files_property(Tool::Files files) {
    etl::JsonObject schema;
    schema.text("type", "array").raw("items", etl::JsonObject().text("type", "string").take());
    schema.number("minItems", files == Tool::Files::two ? 2U : 1U);
    schema.number("maxItems", files == Tool::Files::one   ? 1U
                              : files == Tool::Files::two ? 2U
                                                          : max_files);
    schema.text("description", files == Tool::Files::several
                                   ? "paths of traces (.etl, .etl.zst, .evtx, ...)"
                               : files == Tool::Files::two ? "paths of two traces: before, after"
                                                           : "path of the trace");
    return schema.take();
}

std::string size_property() {
    return etl::JsonObject()
        .text("type", "integer")
        .number("minimum", min_answer)
        .number("maximum", max_answer)
        .number("default", default_answer)
        .text("description", "largest answer in bytes")
        .take();
}

std::string query_property() {
    return etl::JsonObject()
        .text("type", "string")
        .text("description", "SELECT or WITH, in the dialect of SQLite, such as SELECT event, "
                             "count(*) FROM events GROUP BY 1 ORDER BY 2 DESC LIMIT 10")
        .take();
}

std::string tool_json(std::string_view name, std::string_view description,
                      const std::string& properties, std::string_view required) {
    etl::JsonObject schema;
    schema.text("type", "object").raw("properties", properties);
    if (!required.empty()) {
        schema.raw("required", etl::JsonList().text(required).take());
    }
    schema.boolean("additionalProperties", false);
    return etl::JsonObject()
        .text("name", name)
        .text("description", description)
        .raw("inputSchema", schema.take())
        .raw("annotations",
             etl::JsonObject().boolean("readOnlyHint", true).boolean("openWorldHint", false).take())
        .take();
}

std::string verb_json(const Tool& tool, const Verb& verb) {
    etl::JsonObject properties;
    properties.raw("files", files_property(tool.files));
    for (const Option* option : verb.get_options()) {
        if (!option->long_names().empty() && tool.has_option(option->long_names().front())) {
            properties.raw(option->long_names().front(), property(*option));
        }
    }
    if (tool.has_query) {
        properties.raw("query", query_property());
    }
    properties.raw("max-bytes", size_property());
    return tool_json(tool.name(), fmt::format("{}. {}", verb.get_description(), tool.when),
                     properties.take(), "files");
}

std::string list_json() {
    etl::JsonObject properties;
    properties.raw("directory", etl::JsonObject()
                                    .text("type", "string")
                                    .text("description", "default: the directory of the server")
                                    .take());
    properties.raw("recursive", etl::JsonObject().text("type", "boolean").take());
    properties.raw("max-bytes", size_property());
    return tool_json(list_tool, "List the traces in a directory, with their sizes",
                     properties.take(), "");
}

} // namespace

bool Tool::has_option(std::string_view name) const noexcept {
    return std::ranges::find(options, name) != options.end();
}

std::span<const Tool> tools() {
    static const std::vector<Tool> all = make_tools();
    return all;
}

const Tool* find_tool(std::string_view name) noexcept {
    const auto found = std::ranges::find(tools(), name, &Tool::name);
    return found == tools().end() ? nullptr : &*found;
}

std::string tools_json(const Verb& etl) {
    etl::JsonList list;
    list.raw(list_json());
    for (const Tool& tool : tools()) {
        list.raw(verb_json(tool, *verb_named(etl, std::string(tool.verb))));
    }
    return list.take();
}

} // namespace cli::mcp
