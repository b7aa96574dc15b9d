#include "verbs/mcp/message.hpp"

#include <gmock/gmock.h>

namespace cli::mcp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

ErrorCode code_of(std::string_view line) {
    MessageParser parser;
    const auto message = parser.parse(line);
    EXPECT_FALSE(message.has_value()) << line;
    return message ? ErrorCode{} : message.error().code;
}

TEST(McpMessage, HasArgumentsAsTexts) {
    MessageParser parser;
    const auto message = parser.parse(
        R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"cpu","arguments":
            {"files":["a.etl","b.etl"],"limit":18446744073709551615,"nic":true,"x":null,"by":"thread"}}})");
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(message->id, R"("a")");
    EXPECT_EQ(message->tool, "cpu");
    EXPECT_EQ(message->problem, "");
    ASSERT_EQ(message->arguments.size(), 4U); // a null is not given
    EXPECT_THAT(message->arguments[0].values, ElementsAre("a.etl", "b.etl"));
    EXPECT_THAT(message->arguments[1].values, ElementsAre("18446744073709551615"));
    EXPECT_THAT(message->arguments[2].values, ElementsAre("true"));
    EXPECT_THAT(message->arguments[3].values, ElementsAre("thread"));
}

TEST(McpMessage, ReportsArgumentsThatNoCommandLineCanHave) {
    for (const char* const value : {R"("")", R"("a\u0000b")", "1.5", "{}", "[[1]]", "[null]"}) {
        MessageParser parser;
        const auto message =
            parser.parse(std::string(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":)") +
                         R"({"name":"cpu","arguments":{"by":)" + value + "}}}");
        ASSERT_TRUE(message.has_value()) << value;
        EXPECT_THAT(message->problem, HasSubstr("by: ")) << value;
    }
}

TEST(McpMessage, CutsNamesBetweenCharacters) {
    const std::string name = "a" + [] {
        std::string characters;
        while (characters.size() < 2 * max_id) {
            characters += "\u00e9";
        }
        return characters;
    }();
    const std::string kept = name.substr(0, max_id - 1); // two bytes a character
    MessageParser parser;
    const auto method = parser.parse(R"({"jsonrpc":"2.0","id":1,"method":")" + name + "\"}");
    ASSERT_TRUE(method.has_value());
    EXPECT_EQ(method->method, kept);
    const auto call =
        parser.parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + name +
                     R"(","arguments":{")" + name + R"(":1}}})");
    ASSERT_TRUE(call.has_value());
    EXPECT_EQ(call->tool, kept);
    EXPECT_EQ(call->arguments.at(0).name, kept);
}

TEST(McpMessage, KeepsWholeNumbersAndTextsAsIds) {
    for (const char* const id : {"0", "-1", "18446744073709551615", R"("a\"b")", R"("")"}) {
        MessageParser parser;
        const auto message =
            parser.parse(std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}");
        ASSERT_TRUE(message.has_value()) << id;
        EXPECT_EQ(message->id, id);
    }
    for (const char* const id : {"null", "1.5", "true", "[]"}) {
        EXPECT_EQ(code_of(std::string(R"({"jsonrpc":"2.0","method":"ping","id":)") + id + "}"),
                  ErrorCode::invalid_request)
            << id;
    }
}

TEST(McpMessage, RefusesWhatIsNoRequest) {
    EXPECT_EQ(code_of(""), ErrorCode::parse_error);
    EXPECT_EQ(code_of("{"), ErrorCode::parse_error);
    EXPECT_EQ(code_of("\"\xff\""), ErrorCode::parse_error);
    EXPECT_EQ(code_of(std::string(message_depth + 1, '[') + std::string(message_depth + 1, ']')),
              ErrorCode::parse_error);
    EXPECT_EQ(code_of(std::string(max_message + 1, ' ')), ErrorCode::parse_error);
    EXPECT_EQ(code_of("[]"), ErrorCode::invalid_request);
    EXPECT_EQ(code_of("{}"), ErrorCode::invalid_request);
    EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1})"), ErrorCode::invalid_request);
    EXPECT_EQ(code_of(R"({"jsonrpc":"2.0","id":1,"method":"initialize"})"),
              ErrorCode::invalid_params);
}

TEST(McpMessage, HasNoMethodIfItIsAResponse) {
    MessageParser parser;
    const auto message = parser.parse(R"({"jsonrpc":"2.0","id":1,"result":{}})");
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(message->method, "");
}

TEST(McpMessage, HasTheVersionOfTheHandshakeOrOfItsMetadata) {
    MessageParser parser;
    const auto hello = parser.parse(
        R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"x"}})");
    ASSERT_TRUE(hello.has_value());
    EXPECT_EQ(hello->version, "x");
    EXPECT_FALSE(hello->has_metadata);
    const auto stateless =
        parser.parse(R"({"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{)"
                     R"("io.modelcontextprotocol/protocolVersion":"y",)"
                     R"("io.modelcontextprotocol/clientCapabilities":{}}}})");
    ASSERT_TRUE(stateless.has_value());
    EXPECT_EQ(stateless->version, "y");
    EXPECT_TRUE(stateless->has_metadata);
    EXPECT_TRUE(stateless->has_capabilities);
}

} // namespace
} // namespace cli::mcp
