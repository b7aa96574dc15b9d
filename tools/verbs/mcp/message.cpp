#include "verbs/mcp/message.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <limits>

namespace cli::mcp {

namespace {

using Element = simdjson::dom::element;
using Object = simdjson::dom::object;

std::optional<Element> member(const std::optional<Object>& object, std::string_view key) {
    Element found;
    return object && object->at_key(key).get(found) == simdjson::SUCCESS ? std::optional(found)
                                                                         : std::nullopt;
}

std::optional<std::string> text_of(const std::optional<Element>& value) {
    std::string_view text;
    return value && value->get(text) == simdjson::SUCCESS ? std::optional<std::string>(text)
                                                          : std::nullopt;
}

std::optional<Object> object_of(const std::optional<Element>& value) {
    Object object;
    return value && value->get(object) == simdjson::SUCCESS ? std::optional(object) : std::nullopt;
}

/// A name that answers can repeat.
std::string kept(std::string_view name) {
    return std::string(etl::whole_characters(name, max_id));
}

/// Whole numbers and words as text.
std::optional<std::string> scalar(const Element& value) {
    std::int64_t number = 0;
    std::uint64_t large = 0;
    bool flag = false;
    if (value.get(number) == simdjson::SUCCESS) {
        return fmt::format("{}", number);
    }
    if (value.get(large) == simdjson::SUCCESS) {
        return fmt::format("{}", large);
    }
    if (value.get(flag) == simdjson::SUCCESS) {
        return flag ? "true" : "false";
    }
    return text_of(value);
}

/// The ID of a request as JSON: a text or a whole number.
std::optional<std::string> id_of(const Element& value) {
    auto text = value.is_bool() ? std::nullopt : scalar(value);
    if (!text || text->size() > max_id) {
        return std::nullopt;
    }
    if (!value.is_string()) {
        return text;
    }
    std::string json;
    etl::append_json_string(json, *text);
    return json;
}

/// What is wrong with a value of an argument; empty: nothing.
std::string take_value(const Element& value, Argument& to) {
    const auto text = scalar(value);
    if (!text) {
        return "expected text, a whole number, true, or false";
    }
    // The values become words of a command line, which end at a NUL character.
    if (text->empty() || text->contains('\0')) {
        return text->empty() ? "empty text" : "text with a NUL character";
    }
    if (text->size() > max_value || to.values.size() >= max_arguments) {
        return text->size() > max_value ? fmt::format("text longer than {} bytes", max_value)
                                        : fmt::format("more than {} values", max_arguments);
    }
    to.values.push_back(*text);
    return {};
}

std::string take_argument(const Element& value, Argument& to) {
    simdjson::dom::array list;
    if (value.get(list) != simdjson::SUCCESS) {
        return value.is_null() ? std::string() : take_value(value, to);
    }
    for (const Element one : list) {
        if (std::string problem = take_value(one, to); !problem.empty()) {
            return problem;
        }
    }
    return {};
}

void take_arguments(const Object& arguments, Message& to) {
    for (const auto given : arguments) {
        if (to.arguments.size() >= max_arguments) {
            to.problem = fmt::format("more than {} arguments", max_arguments);
            return;
        }
        Argument argument{.name = kept(given.key), .values = {}};
        const std::string problem = take_argument(given.value, argument);
        if (!problem.empty()) {
            to.problem = fmt::format("{}: {}", argument.name, problem);
            return;
        }
        if (!argument.values.empty()) {
            to.arguments.push_back(std::move(argument));
        }
    }
}

void take_metadata(const std::optional<Object>& params, Message& to) {
    const auto metadata = object_of(member(params, "_meta"));
    const auto version = text_of(member(metadata, "io.modelcontextprotocol/protocolVersion"));
    if (version) {
        to.version = version;
        to.has_metadata = true;
        to.has_capabilities =
            object_of(member(metadata, "io.modelcontextprotocol/clientCapabilities")).has_value();
    }
}

/// Empty, or what is wrong with the parameters.
std::string take_params(const std::optional<Object>& params, Message& to) {
    take_metadata(params, to);
    if (to.method == "initialize") {
        to.version = text_of(member(params, "protocolVersion"));
        to.has_metadata = false;
        return to.version ? "" : "protocolVersion is missing";
    }
    if (to.method == "notifications/cancelled") {
        const auto id = member(params, "requestId");
        to.cancelled = id ? id_of(*id).value_or("") : "";
    }
    if (to.method != "tools/call") {
        return {};
    }
    const auto name = text_of(member(params, "name"));
    const auto arguments = member(params, "arguments");
    if (!name || (arguments && !arguments->is_null() && !object_of(arguments))) {
        return name ? "arguments: expected an object" : "name is missing";
    }
    to.tool = kept(*name);
    if (const auto object = object_of(arguments)) {
        take_arguments(*object, to);
    }
    return {};
}

std::unexpected<MessageError> fail(std::string id, ErrorCode code, std::string what) {
    return std::unexpected(MessageError{std::move(id), code, std::move(what)});
}

/// A text as JSON has it, unless it needs escapes.
std::string quoted_text(const Element& text) {
    return '"' + text_of(text).value_or("") + '"';
}

// In our own words: those of the parser differ between its versions.
const char* why_no_json(simdjson::error_code code) noexcept {
    return code == simdjson::UTF8_ERROR    ? "not valid UTF-8"
           : code == simdjson::DEPTH_ERROR ? "nested too deep"
                                           : "not valid JSON";
}

} // namespace

struct MessageParser::Json {
    simdjson::dom::parser parser{max_message};
};

MessageParser::MessageParser() : json_(std::make_unique<Json>()) {
    // The depth is what counts; want of memory shows again at the first message.
    constexpr std::size_t usual = 4096;
    [[maybe_unused]] const auto code = json_->parser.allocate(usual, message_depth);
}

MessageParser::~MessageParser() = default;

/// Why a message could not be read: if only because of numbers beyond 64 bits, for its sender.
MessageError MessageParser::error_of(std::string_view line, const char* why) {
    constexpr std::uint64_t max = std::numeric_limits<std::int64_t>::max();
    std::string quoted(line);
    etl::quote_large_integers(quoted, 0, max);
    Element document;
    if (quoted.size() == line.size() ||
        json_->parser.parse(quoted).get(document) != simdjson::SUCCESS) {
        return {.what = why};
    }
    const auto id = member(object_of(document), "id");
    const bool is_kept = id && (!id->is_string() || line.contains(quoted_text(*id)));
    return {.id = is_kept ? id_of(*id).value_or("null") : "null",
            .code = ErrorCode::invalid_request,
            .what = "a number beyond 64 bits"};
}

std::expected<Message, MessageError> MessageParser::parse(std::string_view line) {
    if (line.size() > max_message) {
        return fail("null", ErrorCode::parse_error,
                    fmt::format("message longer than {} bytes", max_message));
    }
    Element document;
    if (const auto code = json_->parser.parse(line.data(), line.size()).get(document);
        code != simdjson::SUCCESS) {
        return std::unexpected(error_of(line, why_no_json(code)));
    }
    const auto object = object_of(document);
    if (!object) {
        return fail("null", ErrorCode::invalid_request,
                    document.is_array() ? "batches are not supported" : "expected a JSON object");
    }
    Message message;
    if (const auto id = member(object, "id")) {
        const auto json = id_of(*id);
        if (!json) {
            return fail("null", ErrorCode::invalid_request, "id: expected text or a whole number");
        }
        message.id = *json;
    }
    const std::string id = message.id.empty() ? "null" : message.id;
    if (text_of(member(object, "jsonrpc")) != "2.0") {
        return fail(id, ErrorCode::invalid_request, "jsonrpc: expected \"2.0\"");
    }
    const auto method = text_of(member(object, "method"));
    if (!method) {
        const bool is_response = member(object, "result") || member(object, "error");
        return is_response ? std::expected<Message, MessageError>(std::move(message))
                           : fail(id, ErrorCode::invalid_request, "method is missing");
    }
    message.method = kept(*method);
    const auto params = member(object, "params");
    const auto given = object_of(params);
    const std::string problem =
        params && !given ? "params: expected an object" : take_params(given, message);
    if (!problem.empty() && !message.id.empty()) {
        return fail(id, ErrorCode::invalid_params, problem);
    }
    return message;
}

} // namespace cli::mcp
