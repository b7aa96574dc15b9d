// Messages of the Model Context Protocol (MCP), which are those of JSON-RPC 2.0, one per line.
// docs/mcp.md
#pragma once

#include <cstddef>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cli::mcp {

/// A message with its line end; longer ones are rejected.
inline constexpr std::size_t max_message = 1U << 20U;

/// Nesting of values in a message. Arguments need three levels; clients may add metadata.
inline constexpr std::size_t message_depth = 32;

/// Arguments of a call, and values of an argument: more than any tool has.
inline constexpr std::size_t max_arguments = 64;

/// An ID, and a value of an argument: a filter expression written by hand is far shorter.
inline constexpr std::size_t max_id = 256, max_value = 8192;

/// Codes of JSON-RPC 2.0, and of the MCP specification of 2026-07-28.
enum class ErrorCode : int {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    unsupported_version = -32022,
};

/// An answer that is an error. UTF-8.
struct MessageError {
    std::string id = "null"; // as JSON
    ErrorCode code = ErrorCode::parse_error;
    std::string what;
};

/// An argument of a tool: the texts of one value, or of a list. Numbers are decimal, `true` and
/// `false` are words.
struct Argument {
    std::string name;
    std::vector<std::string> values;
};

/// A request, or without `id` a notification. Texts are UTF-8.
struct Message {
    std::string id;     // as JSON
    std::string method; // empty: a response, which needs no answer
    /// Of `initialize`, or of the metadata that requests carry since 2026-07-28.
    std::optional<std::string> version;
    bool has_metadata = false;     // `version` is that of the metadata
    bool has_capabilities = false; // the metadata contain those of the client
    std::string cancelled;         // `notifications/cancelled`: the ID of the request, as JSON
    std::string tool;              // `tools/call`
    std::vector<Argument> arguments;
    std::string problem; // what is wrong with the arguments; empty: nothing
};

/// Parses messages. Keeps its memory.
class MessageParser {
public:
    MessageParser();
    MessageParser(const MessageParser&) = delete;
    MessageParser& operator=(const MessageParser&) = delete;
    ~MessageParser();

    /// `line` is any bytes, without a line end. An error is to be sent to the client.
    std::expected<Message, MessageError> parse(std::string_view line);

private:
    MessageError error_of(std::string_view line, const char* why);

    struct Json;
    std::unique_ptr<Json> json_;
};

} // namespace cli::mcp
