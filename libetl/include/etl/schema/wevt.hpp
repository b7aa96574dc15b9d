// WEVT_TEMPLATE resources: instrumentation manifests as the message compiler puts them into
// executables. docs/format/images.md#wevt-template
#pragma once

#include <etl/base/bytes.hpp>
#include <etl/base/culture.hpp>
#include <etl/base/function_ref.hpp>
#include <etl/schema/schema_set.hpp>

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::schema {

/// The text of a message, or null. What it gives must live until the parser returns.
using MessageLookup = FunctionRef<const std::string*(std::uint32_t id)>;

struct WevtOptions {
    FileOffset where{}; // of the resource in its file: notes and errors name offsets of the file
};

/// Parses one resource. Texts that `messages` does not know are left out: the event has no message,
/// the level keeps its name, the map shows the number. A part that is damaged is noted, and left
/// out; an event whose template is damaged gets one field that cannot be decoded. Refused: what is
/// no such resource, or holds no provider that can be read.
std::expected<SchemaSet, FileError> parse_wevt(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options = {});

/// The GUIDs of the providers of one resource. Empty: this is none.
std::vector<Guid> list_wevt_providers(Bytes crim);

/// The ids of all messages that the resource refers to, each once, in no order.
std::vector<std::uint32_t> list_wevt_messages(Bytes crim);

/// All of the above for an executable: of resources in several languages, the best by `cultures`.
std::expected<SchemaSet, FileError> parse_wevt_image(Bytes image, MessageLookup messages,
                                                     const CultureChain& cultures);
std::vector<Guid> scan_wevt_providers(Bytes image);
std::vector<std::uint32_t> scan_wevt_messages(Bytes image);

} // namespace etl::schema
