// A byte: how many bytes arrive at a time. Then lines as etl mcp reads them. Beyond "does not
// crash": arguments are words of a command line, an ID is JSON that reads back as itself.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "verbs/mcp/input.hpp"
#include "verbs/mcp/message.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

using namespace cli::mcp;
using namespace etl;

namespace {

class Arriving final : public io::ByteStream {
public:
    Arriving(Bytes bytes, std::size_t at_a_time) : rest_(bytes), at_a_time_(at_a_time) {}

    Result<Arrival> read(MutableBytes into, std::chrono::milliseconds) override {
        if (rest_.empty()) {
            return Arrival{State::end, 0};
        }
        const std::size_t size = std::min({into.size(), at_a_time_, rest_.size()});
        std::ranges::copy(rest_.first(size), into.begin());
        rest_ = rest_.subspan(size);
        return Arrival{State::data, size};
    }

private:
    Bytes rest_;
    std::size_t at_a_time_;
};

void check(const Message& message, MessageParser& parser) {
    fuzz::require(message.arguments.size() <= max_arguments);
    for (const Argument& argument : message.arguments) {
        fuzz::require(!argument.values.empty() && argument.values.size() <= max_arguments);
        for (const std::string& value : argument.values) {
            fuzz::require(!value.empty() && value.size() <= max_value && !value.contains('\0'));
        }
    }
    if (!message.id.empty()) {
        const auto again =
            parser.parse("{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"id\":" + message.id + "}");
        fuzz::require(again.has_value() && again->id == message.id);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) {
        return 0;
    }
    constexpr std::size_t longest = 4096; // so that short inputs have lines that are too long
    MessageInput input(
        std::make_unique<Arriving>(std::as_bytes(std::span(data, size)).subspan(1), data[0] + 1U),
        longest);
    MessageParser parser;
    while (const auto line = input.next(std::chrono::milliseconds(0))) {
        fuzz::require(line->is_too_long ? line->text.empty() : line->text.size() <= longest);
        if (const auto message = parser.parse(line->text)) {
            check(*message, parser);
        } else {
            fuzz::require(!message.error().what.empty());
        }
    }
    fuzz::require(input.at_end());
    return 0;
}
