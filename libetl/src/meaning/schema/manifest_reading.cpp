#include "schema/manifest_reading.hpp"

#include "base/text.hpp"

#include <charconv>

namespace etl::schema {

std::string_view local_name(std::string_view qualified) noexcept {
    const std::size_t colon = qualified.rfind(':');
    return colon == qualified.npos ? qualified : qualified.substr(colon + 1);
}

std::string_view local_name(const pugi::xml_node& node) noexcept {
    return local_name(std::string_view(node.name()));
}

std::string_view attribute(const pugi::xml_node& node, const char* name) noexcept {
    return node.attribute(name).value();
}

std::optional<std::uint64_t> parse_number(std::string_view text) noexcept {
    return etl::parse_number(trimmed(text));
}

std::vector<pugi::xml_node> descendants(const pugi::xml_node& root, std::string_view local) {
    std::vector<pugi::xml_node> found;
    // No recursion: the depth of the document is the file's choice.
    pugi::xml_node node = root;
    while (node) {
        const bool matches = node.type() == pugi::node_element && local_name(node) == local;
        if (matches) {
            found.push_back(node);
        }
        if (node.first_child() && !matches) {
            node = node.first_child();
            continue;
        }
        while (node && node != root && !node.next_sibling()) {
            node = node.parent();
        }
        node = node == root ? pugi::xml_node() : node.next_sibling();
    }
    return found;
}

void ManifestReading::note(const pugi::xml_node& node, std::string text) {
    const auto offset = node.offset_debug();
    note_at(offset < 0 ? 0 : static_cast<std::size_t>(offset), std::move(text));
}

void ManifestReading::note_at(std::size_t offset, std::string text) {
    add_note(result.notes, {lines_.line_of(offset), std::move(text)});
}

std::string ManifestReading::copy(std::string_view text) {
    return charge(text.size()) ? std::string(text) : std::string();
}

} // namespace etl::schema
