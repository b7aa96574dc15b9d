// Any bytes as an executable whose messages and providers are asked for, and as a bare
// WEVT_TEMPLATE resource. Beyond "does not crash": resources lie inside of the file, schemas are
// sound, and what the cheap look finds are the providers that the parser finds, if any.
#include "fuzz/schema_rules.hpp"
#include "schema/image.hpp"
#include "schema/wevt.hpp"

namespace {

using namespace etl;

void require_sound_set(const std::expected<schema::SchemaSet, schema::FileError>& set) {
    if (!set) {
        fuzz::require(!set.error().reason.empty());
        return;
    }
    for (const auto& event : set->events) {
        fuzz::require(event->provider != nullptr);
        fuzz::require_sound(*event);
        fuzz::require(is_valid_utf8(event->user_data));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const CultureChain cultures("de-DE");
    schema::MessageTable messages;
    if (auto read = schema::read_messages(bytes, cultures)) {
        messages = std::move(read->table);
    }
    const auto find = [&](std::uint32_t id) { return messages.find(id); };
    if (const auto image = schema::PeImage::parse(bytes)) {
        if (const auto found = image->resources(schema::wevt_template_type)) {
            for (const schema::Resource& resource : *found) {
                fuzz::require(fuzz::lies_inside(resource.bytes, bytes));
                fuzz::require(fuzz::lies_inside(resource.name.text, bytes));
            }
        }
    }
    const auto set = schema::parse_wevt_image(bytes, find, cultures);
    require_sound_set(set);
    fuzz::require(!set || set->events.empty() || !schema::scan_wevt_providers(bytes).empty());
    schema::scan_wevt_messages(bytes);

    const auto bare = schema::parse_wevt(bytes, find);
    require_sound_set(bare);
    fuzz::require(!bare || bare->providers.size() <= schema::list_wevt_providers(bytes).size());
    return 0;
}
