// Parser of WEVT_TEMPLATE resources: instrumentation manifests compiled into executables.
// docs/format/images.md#wevt-template
#pragma once

#include <etl/bytes.hpp>

#include "base/culture.hpp"
#include "base/function_ref.hpp"
#include "schema/schema_set.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace etl::schema {

/// Returns the text of a message, or null. The text must remain valid until the parser returns.
using MessageLookup = FunctionRef<const std::string*(std::uint32_t id)>;

struct WevtOptions {
    FileOffset where{}; // offset of the resource in its file, so that notes and errors contain file
                        // offsets
};

/// Parses one resource. Texts missing in `messages` are omitted: the event has no message, the
/// level keeps its name, and the map shows the number. Damaged parts are skipped with a note; an
/// event with a damaged template gets a single undecodable field. Rejected: data that is not such a
/// resource or contains no readable provider.
std::expected<SchemaSet, FileError> parse_wevt(Bytes crim, MessageLookup messages,
                                               const WevtOptions& options = {});

/// Returns the provider GUIDs of one resource. Empty if the data is not such a resource.
std::vector<Guid> list_wevt_providers(Bytes crim);

/// Returns the distinct IDs of all messages that the resource refers to, unordered.
std::vector<std::uint32_t> list_wevt_messages(Bytes crim);

/// The same for an executable; if it has resources in several languages, the best by `cultures`.
std::expected<SchemaSet, FileError> parse_wevt_image(Bytes image, MessageLookup messages,
                                                     const CultureChain& cultures);
std::vector<Guid> scan_wevt_providers(Bytes image);
std::vector<std::uint32_t> scan_wevt_messages(Bytes image);

} // namespace etl::schema
