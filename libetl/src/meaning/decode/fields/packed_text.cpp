#include "decode/fields/packed_text.hpp"

#include <etl/byte_writer.hpp>

#include "base/cursor.hpp"
#include "base/text.hpp"
#include "codec/formats.hpp"
#include "decode/limits.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>
#include <string>

namespace etl::decode {

namespace {

constexpr Guid winsat = *parse_guid("ed54dff8-c409-4cf6-bf83-05e1e61a09c4");
constexpr Guid perftrack = *parse_guid("bf6ef1cb-89b5-490a-80ac-b180cfbcff0f");

schema::Field field(const char* name, schema::InType in, schema::OutType out) {
    schema::Field result;
    result.name = name;
    result.in_type = in;
    result.out_type = out;
    return result;
}

// Six bytes of LZNT1 can stand for a chunk of 4096.
constexpr std::size_t greatest_ratio = 1024;

// In UTF-8, without the NUL that may end it.
std::string text_of(Bytes bytes) {
    std::string text;
    const bool is_utf16 = bytes.size() >= 2 && bytes[0] != std::byte{0} && bytes[1] == std::byte{0};
    if (is_utf16) {
        append_utf16le(text, bytes);
    } else {
        append_utf8(text, bytes);
    }
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

} // namespace

bool is_packed_text(const Guid& event_class, std::uint8_t type) noexcept {
    return (event_class == winsat && (type == 33 || type == 35 || type == 37)) ||
           (event_class == perftrack && type == 33);
}

std::shared_ptr<const schema::EventSchema> packed_text_schema(const Guid& event_class) {
    auto names = std::make_shared<schema::ProviderNames>();
    names->guid = event_class;
    names->name = format::system_trace_name;
    auto result = std::make_shared<schema::EventSchema>();
    result->origin = schema::Origin::mof;
    result->provider = std::move(names);
    if (event_class == winsat) {
        result->fields.push_back(field("Version", schema::InType::uint32, schema::OutType::none));
    }
    result->fields.push_back(
        field("Xml", schema::InType::non_terminated_ansi, schema::OutType::utf8));
    return result;
}

const char* lay_out_packed_text(const flow::EventHeader& header, std::vector<std::byte>& to) {
    to.clear();
    ByteWriter out;
    Cursor in(header.payload);
    if (header.provider == winsat) {
        out.u32(in.u32("version"));
    }
    const std::uint32_t size = in.u32("size");
    if (!in) {
        return "the payload ends before its compressed text";
    }
    const Bytes packed = header.payload.subspan(in.position());
    const std::size_t most =
        std::min(limits::compressed_text_bytes, packed.size() * greatest_ratio);
    std::vector<std::byte> unpacked(std::min<std::size_t>(size, most));
    const codec::Outcome outcome = codec::lznt1::decompress(packed, unpacked);
    out.text8(text_of(Bytes(unpacked).first(outcome.written)));
    to = out.take();
    return outcome.is_complete() && size <= most ? nullptr : "invalid compressed text";
}

} // namespace etl::decode
