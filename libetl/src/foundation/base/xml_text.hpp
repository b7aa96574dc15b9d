// XML escaping. The result is well-formed for any text.
#pragma once

#include <etl/bytes.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace etl {

/// Where a text is written: attributes also need references for tabs and line ends, which a parser
/// otherwise replaces by blanks.
enum class XmlPlace : std::uint8_t { content, attribute };

/// Appends `text`, which must be valid UTF-8, escaped for XML 1.0: `&lt; &gt; &amp; &quot; &apos;`,
/// and `&#13;` for a carriage return. Characters that XML forbids (C0 controls, U+FFFE, U+FFFF)
/// become U+FFFD.
void append_xml_escaped(std::string& to, std::string_view text, XmlPlace place = XmlPlace::content);

/// Escapes the end of `text` from `begin` on, in place, as append_xml_escaped(). Cheap if there is
/// nothing to escape.
void escape_xml_from(std::string& text, std::size_t begin, XmlPlace place = XmlPlace::content);

} // namespace etl
