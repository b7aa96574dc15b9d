// Rendering of WPP messages and of tracefmt's prefix. Not thread-safe; reusable.
// docs/format/wpp.md#format
#pragma once

#include "decode/decoder.hpp"
#include "decode/display_value.hpp"
#include "schema/wpp_format.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace etl::decode {

/// The default prefix of tracefmt: `[0]0888.0D60::10/23/2003-12:27:40.1730000 [tracedrv]`
inline constexpr std::string_view default_wpp_prefix = "[%9!d!]%8!04X!.%3!04X!::%4!s! [%1!s!]";

class WppText {
public:
    explicit WppText(DisplayOptions options = {}) : options_(options) {}

    /// Appends the message of an event decoded by DecodedBy::wpp. Trailing line ends are omitted;
    /// inserts that do not match the payload are kept as in the format string. Stops after
    /// limits::wpp_message_bytes.
    void append_message(std::string& to, const DecodedEvent& event);

    /// Appends a format string that applies to any event: %1 component (or provider), %2 tag (or
    /// event), %3 thread, %4 time, %5 kernel and %6 user time, %7 sequence number, %8 process, %9
    /// processor, %!FUNC! and the other names.
    void append_prefix(std::string& to, std::string_view prefix, const DecodedEvent& event);

private:
    void read_arguments(const DecodedEvent& event);
    void append(std::string& to, std::string_view format, const DecodedEvent& event);
    bool append_variable(std::string& to, const schema::WppPiece& piece, const DecodedEvent& event);
    bool append_argument(std::string& to, const schema::WppPiece& piece, const DecodedEvent& event);

    DisplayOptions options_;
    DisplayOptions event_options_; // options for the current event
    FieldWalker walker_;
    std::vector<Value> arguments_;
};

} // namespace etl::decode
