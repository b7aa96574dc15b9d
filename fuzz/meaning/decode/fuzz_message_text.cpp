// A byte of options, the in and out type of a value, its size and bytes; what is left is a message
// that has the value as %1. Beyond "does not crash": what is rendered is valid UTF-8, the same each
// time, and within the limits; a message without a percent sign is itself.
#include <etl/byte_writer.hpp>

#include "base/text.hpp"
#include "decode/json_value.hpp"
#include "decode/limits.hpp"
#include "decode/message_text.hpp"
#include "fuzz/require.hpp"

using namespace etl;

namespace {

constexpr std::size_t head = 4;

const CodePage* page_of(unsigned wish) {
    static const std::array<std::shared_ptr<const CodePage>, 3> pages{
        *CodePage::open(1251U), *CodePage::open(932U), *CodePage::open(54936U)};
    return wish == 0 ? nullptr : pages[wish - 1].get();
}

// Messages 1 to 3, one of which refers to another.
const schema::MessageTable& parameters() {
    static const schema::MessageTable table = [] {
        ByteWriter resource;
        resource.u32(1).u32(1).u32(3).u32(16);
        for (const std::string_view text : {"Delete.", "%%1 %1 ", "\xC3\xA9%n%%3%%2"}) {
            resource.u16(static_cast<std::uint16_t>(4 + (text.size() + 3) / 4 * 4)).u16(2);
            resource.text8(text).align(4);
        }
        return *schema::MessageTable::parse(resource.view());
    }();
    return table;
}

schema::OutType out_type(std::uint8_t code) {
    const unsigned number = code % 41U;
    return static_cast<schema::OutType>(number < 39 ? number : number + 261); // 300 and 301
}

schema::InType in_type(std::uint8_t code) {
    const unsigned number = code % 37U;
    return static_cast<schema::InType>(number < 26 ? number : number + 274); // from 300 on
}

decode::Value value_of(const std::uint8_t* data, Bytes bytes) {
    static const schema::ValueMap map{.name = "",
                                      .kind = schema::ValueMap::Kind::bits,
                                      .entries = {{0, "none"}, {1, "%1"}, {6, "two|bits"}}};
    const auto form = schema::form_of(in_type(data[1]), out_type(data[2]), 8);
    const bool is_mapped = (data[0] & 8U) != 0 && schema::is_integer(form);
    return {.bytes = bytes,
            .form = form,
            .error_space = schema::error_space_of(out_type(data[2])),
            .map = is_mapped ? &map : nullptr};
}

std::string message(std::string_view format, std::span<const std::string_view> inserts) {
    std::string text = "before ";
    decode::append_message(text, format, inserts);
    fuzz::require(text.starts_with("before "));
    return text.substr(7);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < head) {
        return 0;
    }
    const Bytes rest = std::as_bytes(std::span(data, size)).subspan(head);
    const Bytes bytes = rest.first(std::min<std::size_t>(data[3], rest.size()));
    const decode::Value value = value_of(data, bytes);
    const flow::Clock clock;
    const decode::DisplayOptions options{.enumerations = true,
                                         .code_page = page_of(data[0] & 3U),
                                         .parameters =
                                             (data[0] & 4U) != 0 ? &parameters() : nullptr,
                                         .clock = (data[0] & 16U) != 0 ? &clock : nullptr};
    std::string shown;
    decode::append_display(shown, value, options);
    fuzz::require(is_valid_utf8(shown));
    std::string again;
    decode::append_display(again, value, options);
    fuzz::require(again == shown);
    std::string json;
    {
        TextAppender tail(json);
        decode::append_json_value(tail, value, {.code_page = options.code_page});
    }
    fuzz::require(is_valid_utf8(json) && !json.empty());

    std::string format;
    append_utf8(format, rest.subspan(bytes.size()));
    const std::string_view inserts[] = {shown, "two \u8336", ""};
    const std::string text = message(format, inserts);
    fuzz::require(is_valid_utf8(text));
    fuzz::require(message(format, inserts) == text);
    fuzz::require(text.size() <= decode::limits::message_bytes +
                                     std::max<std::size_t>(shown.size(), 4096) + format.size());
    if (format.find_first_of("%\r\n") == std::string::npos) {
        fuzz::require(text == format);
    }
    return 0;
}
