// A TMF up to the first NUL, then the arguments of its first message. Beyond "does not crash": the
// message is UTF-8 of bounded size, and the same again when it is rendered again; so is the format
// string as a prefix.
#include "base/text.hpp"
#include "decode/limits.hpp"
#include "decode/wpp_text.hpp"
#include "format/limits.hpp"
#include "fuzz/require.hpp"
#include "schema/tmf.hpp"
#include "tests/support/traces/one_event.hpp"

#include <algorithm>

namespace {

std::string render(etl::decode::WppText& text, const etl::decode::DecodedEvent& event) {
    std::string result;
    text.append_message(result, event);
    return result;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes input = std::as_bytes(std::span(data, size));
    const auto nul = std::ranges::find(input, std::byte{0});
    const auto text_size = static_cast<std::size_t>(nul - input.begin());
    auto set = schema::parse_tmf(input.first(text_size));
    if (!set) {
        return 0;
    }
    const auto message = set->events.front();
    auto store = std::make_shared<schema::SchemaStore>();
    store->add(message);
    store->freeze();
    const auto one = test::event_of(format::MessageRecord{
        .number = message->id,
        .width = size % 2 == 0 ? format::Width::bits64 : format::Width::bits32,
        .guid = message->provider->guid,
        .time = 0,
        .payload = clamped(input, text_size + 1, 60'000)});
    decode::Decoder decoder(store);
    const decode::DecodedEvent& event = decoder.decode(one->event);
    decode::WppText text({.utc_offset_minutes = 345});
    const std::string rendered = render(text, event);
    fuzz::require(is_valid_utf8(rendered));
    // The last piece may be as long as a payload in which every byte becomes three.
    constexpr std::size_t most_of_one = 4UL * format::limits::payload_bytes;
    fuzz::require(rendered.size() <= decode::limits::wpp_message_bytes +
                                         std::max(most_of_one, message->message.size()));
    fuzz::require(render(text, event) == rendered);
    std::string prefix;
    text.append_prefix(prefix, message->message, event);
    fuzz::require(is_valid_utf8(prefix));
    return 0;
}
