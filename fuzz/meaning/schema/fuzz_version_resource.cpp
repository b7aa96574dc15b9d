// Any bytes as a version resource. Beyond "does not crash": texts are UTF-8 and no larger than the
// resource allows, and a build of Windows is one of the file version.
#include "base/text.hpp"
#include "fuzz/require.hpp"
#include "schema/version_resource.hpp"

#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace etl;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    schema::windows_build_of_image(bytes);
    const auto version = schema::parse_version_resource(bytes);
    if (!version) {
        fuzz::require(version.error().code == ErrorCode::truncated ||
                      version.error().code == ErrorCode::malformed);
        return 0;
    }
    for (const std::string* text : {&version->company, &version->product}) {
        fuzz::require(is_valid_utf8(*text));
        fuzz::require(text->size() <= size * 2); // three bytes for two
    }
    const std::uint32_t build = schema::windows_build(*version);
    fuzz::require(build == 0 || build == version->file_version[2]);
    return 0;
}
