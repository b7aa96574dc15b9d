// The element of a UserData template, ready for the values of events. Private to sink.
// docs/format/images.md#user-data
#pragma once

#include "base/xml_text.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace etl::sink {

class UserDataTemplate {
public:
    /// A text as written, followed by the value of a field.
    struct Piece {
        static constexpr std::uint32_t no_field = 0xFFFFFFFF;

        std::string text;
        std::uint32_t field = no_field; // by number among those that are no structure members
        XmlPlace place = XmlPlace::content;
    };

    /// A part of the element in document order, for formats that are not text.
    struct Node {
        enum class Kind : std::uint8_t { element, attribute, text, end };

        Kind kind = Kind::element;
        std::string name;                      // element, attribute
        std::string text;                      // attribute, text: as it is, without references
        std::uint32_t field = Piece::no_field; // attribute, text: as in Piece, instead of `text`
    };

    /// `xml` is EventSchema::user_data: one element with %1 in the place of the first field.
    /// Nothing if it is not a well-formed element, or deeper than schema::limits::user_data_depth:
    /// then it must not be part of a document. `quote` encloses the attributes of the pieces.
    static std::optional<UserDataTemplate> parse(std::string_view xml, char quote = '"');

    const std::vector<Piece>& pieces() const noexcept { return pieces_; }

    /// Elements and their ends; attributes follow the start of their element.
    const std::vector<Node>& nodes() const noexcept { return nodes_; }

private:
    std::vector<Piece> pieces_;
    std::vector<Node> nodes_;
};

} // namespace etl::sink
