#include "viewer/saved_view.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>

namespace etl::viewer {

namespace {

bool is_of_query(char letter) noexcept {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || std::string_view("%+=&._~*-").contains(letter);
}

std::unexpected<Problem> no_view(std::string what, std::string_view about = {}) {
    return std::unexpected(Problem{std::move(what), std::string(about)});
}

} // namespace

std::expected<SavedView, Problem> parse_saved_view(std::string_view json) {
    namespace dom = simdjson::dom;
    dom::parser parser;
    dom::element document;
    dom::array inputs;
    std::uint64_t version = 0;
    if (json.size() > max_request ||
        parser.parse(json.data(), json.size()).get(document) != simdjson::SUCCESS ||
        document["version"].get(version) != simdjson::SUCCESS) {
        return no_view("no saved view");
    }
    if (version != 1) {
        return no_view(fmt::format("version {} of saved views is unknown", version), "version");
    }
    if (document["inputs"].get(inputs) != simdjson::SUCCESS || inputs.size() == 0 ||
        inputs.size() > max_list) {
        return no_view(fmt::format("expected the names of 1 to {} traces", max_list), "inputs");
    }
    SavedView view;
    for (const dom::element input : inputs) {
        std::string_view name;
        if (input.get(name) != simdjson::SUCCESS || name.empty() || name.contains('\0')) {
            return no_view("expected names of traces", "inputs");
        }
        view.inputs.emplace_back(name);
    }
    for (const auto& [key, to] : {std::pair("begin", &view.begin), std::pair("end", &view.end),
                                  std::pair("state", &view.state)}) {
        std::string_view text;
        if (document[key].get(text) != simdjson::SUCCESS) {
            return no_view("expected a text", key);
        }
        *to = text;
    }
    if (!std::ranges::all_of(view.state, is_of_query)) {
        return no_view("expected the part of an address after `#`", "state");
    }
    return view;
}

} // namespace etl::viewer
