// The providers that a file in the compact form defines, without parsing the rest.
#include "base/text.hpp"
#include "schema/compact.hpp"
#include "schema/compact/line.hpp"
#include "schema/guarded.hpp"

#include <unordered_set>

namespace etl::schema {

namespace {

std::vector<Guid> scan_compact_lines(std::string_view text) {
    constexpr std::string_view first_word = "provider ";
    std::vector<Guid> guids;
    std::unordered_set<Guid> seen;
    while (!text.empty()) {
        const std::string_view content = take_compact_line(text);
        const std::size_t start = content.find_first_not_of(" \t");
        if (!content.starts_with(first_word)) {
            if (guids.empty() && start != content.npos && content[start] != '#') {
                return {};
            }
            continue;
        }
        CompactLine line(content, 1);
        line.next();
        line.name();
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            return {};
        }
        if (seen.insert(*guid).second) {
            guids.push_back(*guid);
        }
    }
    return guids;
}

} // namespace

std::vector<Guid> scan_compact_providers(Bytes text) {
    return guarded_scan([&] { return scan_compact_lines(as_text(text)); });
}

} // namespace etl::schema
