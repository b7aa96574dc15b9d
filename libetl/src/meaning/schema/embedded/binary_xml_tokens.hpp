// The tokens of binary XML: elements, attributes, text and inserts, written one by one. Private to
// schema. docs/format/decoding.md#event-information
#pragma once

#include "base/byte_writer.hpp"
#include "schema/event_schema.hpp"

#include <string_view>
#include <vector>

namespace etl::schema {

class BinaryXmlTokens {
public:
    BinaryXmlTokens(const EventSchema& schema, ByteWriter& out);

    void begin_fragment();
    void end_fragment();

    /// Gives where the element's size is to be filled in.
    std::size_t open(std::string_view element, bool has_attributes);
    void start_content();
    void close(std::size_t size);
    void close_empty(std::size_t size);

    std::size_t reserve();
    void fill_in(std::size_t size);

    /// Gives the position of its token, for has_more().
    std::size_t attribute(std::string_view text);
    void has_more(std::size_t attribute);

    /// Even when it is empty.
    void text(std::string_view utf8);
    void entity(std::string_view text);
    void substitution(std::uint16_t index);

    const std::vector<std::uint16_t>& top_level() const noexcept { return top_level_; }

private:
    void name(std::string_view utf8);

    const EventSchema& schema_;
    std::vector<std::uint16_t> top_level_;
    ByteWriter& out_;
};

} // namespace etl::schema
