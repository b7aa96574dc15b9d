#include "verbs/split/part_table.hpp"

#include <etl/guid.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "rewrite/splitting.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::relog::PartKey;

std::string guid_text(const etl::Guid& guid) {
    std::string text;
    etl::append_guid(text, guid);
    return text;
}

std::string_view name_of(PartKey::Process process, const ProcessNames& names) noexcept {
    return process.life < names.size() ? std::string_view(names[process.life]) : "";
}

struct KeyJson {
    JsonObject& json;
    const ProcessNames& names;

    void operator()(std::monostate) const {}

    void operator()(const PartKey::Window& window) const {
        json.time("from", window.from);
        json.time("to", window.to);
    }

    void operator()(const PartKey::Range& range) const {
        json.number("first", range.first);
        json.number("last", range.last);
    }

    void operator()(const etl::Guid& guid) const { json.text("provider", guid_text(guid)); }

    void operator()(PartKey::Process process) const {
        if (process.id == etl::flow::no_id) {
            json.raw("pid", "null");
        } else {
            json.number("pid", process.id);
            if (const std::string_view name = name_of(process, names); !name.empty()) {
                json.text("process", name);
            }
        }
    }

    void operator()(PartKey::Processor processor) const { json.number("cpu", processor.number); }
};

} // namespace

std::string as_text(std::span<const etl::relog::Part> parts, const ProcessNames& names) {
    std::string text;
    for (const etl::relog::Part& part : parts) {
        const bool is_context = std::holds_alternative<std::monostate>(part.key.value);
        const std::uint64_t events = is_context ? part.context : part.events;
        text +=
            fmt::format("{}: {}, {}", printable(part.path),
                        printable(etl::rewrite::text_of(part.key, names)), plural(events, "event"));
        if (part.context > 0 && !is_context) {
            text += fmt::format(" and {}", plural(part.context, "context event"));
        }
        if (!part.context_path.empty()) {
            text += "; context in " + printable(part.context_path);
        }
        if (part.lost > 0) {
            text += fmt::format("; lost {} too large for a buffer", plural(part.lost, "event"));
        }
        text += "\n";
    }
    return text;
}

std::string as_json(std::span<const etl::relog::Part> parts, const ProcessNames& names) {
    std::string text;
    for (const etl::relog::Part& part : parts) {
        JsonObject json;
        json.text("file", part.path);
        std::visit(KeyJson{json, names}, part.key.value);
        json.number("events", part.events);
        json.number("context", part.context);
        if (!part.context_path.empty()) {
            json.text("context_file", part.context_path);
        }
        json.number("lost", part.lost);
        json.number("bytes", part.bytes);
        text += json.take() + "\n";
    }
    return text;
}

} // namespace cli
