#include "sink/windows/tracerpt_cells.hpp"

#include "base/text.hpp"

namespace etl::sink {

namespace {

std::string braced(const Guid& guid) {
    return "{" + to_string(guid) + "}";
}

} // namespace

std::string tracerpt_cell(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) {
        return std::string(text);
    }
    std::string quoted;
    append_csv_quoted(quoted, text);
    return quoted;
}

TracerptName tracerpt_name_of(const WindowsEvent& it) {
    const decode::DecodedEvent& event = *it.decoded;
    const WindowsRendering names = it.rendering();
    TracerptName name{std::string(names.provider), std::string(names.opcode)};
    if (it.tracing) {
        name.event = names.event_name;
    } else if (format::is_message(event.event->kind)) {
        const schema::TraceSite* const site = it.site();
        name.event = site != nullptr ? site->component : std::string();
        name.type = event.kind->schema != nullptr ? event.kind->schema->symbol
                                                  : std::to_string(event.header.id);
    } else if (event.kind->is_self_describing()) {
        name.type = names.task;
    }
    if (name.event.empty()) {
        name.event = braced(event.header.provider);
    }
    if (name.type.empty()) {
        name.type = std::to_string(event.header.opcode);
    }
    return name;
}

} // namespace etl::sink
