#include "decode/kinds/class_names.hpp"

#include "base/text.hpp"
#include "decode/known_names.hpp"
#include "decode/schema_tables.hpp"
#include "format/kernel_group.hpp"

namespace etl::decode {

namespace {

void name_classic(const flow::EventHeader& header, EventKind& kind) {
    for (const tables::ClassicEvent& event : tables::classic_events()) {
        if (event.class_guid == header.provider) {
            if (event.is_of_kernel()) {
                kind.provider = format::system_trace_name;
            }
            if (event.type == header.opcode) {
                kind.event = event.event;
            }
        }
    }
}

// The hook that a record under a class GUID would have had.
HookName name_of_class_type(const flow::EventHeader& header) noexcept {
    for (const HookName& name : tables::hooks()) {
        if ((name.hook_id & 0xFFU) == header.opcode &&
            format::class_of_hook(name.hook_id) == header.provider) {
            return name;
        }
    }
    return {};
}

} // namespace

bool is_kernel_class(const Guid& guid) {
    return !format::class_name(guid).empty() || !ungrouped_class_name(guid).empty();
}

void name_class(const flow::EventHeader& header, EventKind& kind) {
    const std::string_view class_name = format::class_name(header.provider);
    if (class_name.empty()) {
        name_classic(header, kind);
        return;
    }
    kind.provider = format::system_trace_name;
    const HookName name = header.is_kernel ? hook_name(header.hook_id) : name_of_class_type(header);
    if (!name.event.empty()) {
        kind.event = name.event;
    } else if (!name.symbol.empty()) {
        kind.event = name.symbol;
    } else {
        kind.event = std::string(class_name).append("/Opcode(");
        append_decimal(*kind.event, header.opcode);
        kind.event->push_back(')');
    }
}

void name_described_class(const flow::EventHeader& header, EventKind& kind) {
    if (!kind.event) {
        name_class(header, kind);
    }
    if (is_kernel_class(header.provider)) {
        kind.provider = format::system_trace_name;
    }
    if (header.level == 0) {
        kind.level_name = {};
    }
    kind.channel_name = {};
    kind.keywords.clear();
}

} // namespace etl::decode
