#include "symbols/search_path.hpp"

#include "base/text.hpp"
#include "base/trimmed.hpp"
#include "symbols/limits.hpp"

namespace etl::symbols {

namespace {

using Kind = SearchPlace::Kind;

bool is_url(std::string_view text) noexcept {
    return text.find("://") != std::string_view::npos;
}

/// Cuts off and returns the part before the next separator.
std::string_view next_part(std::string_view& rest, char separator) noexcept {
    const std::size_t end = rest.find(separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return trimmed(part, " \t");
}

void add(std::vector<SearchPlace>& places, Kind kind, std::string_view path) {
    if (!path.empty() && places.size() < limits::search_places) {
        places.push_back({is_url(path) ? Kind::server : kind, std::string(path)});
    }
}

void add_element(std::vector<SearchPlace>& places, std::string_view element) {
    std::string_view rest = element;
    const std::string word = to_lower_ascii(next_part(rest, '*'));
    if (element.find('*') == std::string_view::npos) {
        add(places, Kind::directory, element);
        return;
    }
    if (word == "symsrv") {
        next_part(rest, '*'); // the library that reads stores
    } else if (word != "srv" && word != "cache") {
        add(places, Kind::directory, element);
        return;
    }
    while (!rest.empty()) {
        add(places, Kind::store, next_part(rest, '*'));
    }
}

} // namespace

std::vector<SearchPlace> parse_symbol_path(std::string_view text) {
    std::vector<SearchPlace> places;
    while (!text.empty()) {
        if (const std::string_view element = next_part(text, ';'); !element.empty()) {
            add_element(places, element);
        }
    }
    return places;
}

} // namespace etl::symbols
