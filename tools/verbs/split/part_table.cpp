#include "verbs/split/part_table.hpp"

#include <etl/guid.hpp>

#include "cli/console.hpp"
#include "cli/json_object.hpp"
#include "cli/plural.hpp"
#include "decode/hook_names.hpp"
#include "decode/known_providers.hpp"
#include "format/kernel_group.hpp"

#include <fmt/format.h>

namespace cli {

namespace {

using etl::relog::PartKey;

std::string guid_text(const etl::Guid& guid) {
    std::string text;
    etl::append_guid(text, guid);
    return text;
}

/// The built-in name of a provider; empty: unknown.
std::string provider_name(const etl::Guid& guid) {
    const auto group = etl::format::class_name(guid);
    const auto kernel = group.empty() ? etl::decode::ungrouped_class_name(guid) : group;
    return kernel.empty() ? std::string(etl::decode::known_provider_name(guid))
                          : fmt::format("{}/{}", etl::format::system_trace_name, kernel);
}

std::string_view name_of(PartKey::Process process, const ProcessNames& names) noexcept {
    return process.life < names.size() ? std::string_view(names[process.life]) : "";
}

struct KeyText {
    const ProcessNames& names;

    std::string operator()(std::monostate) const { return "context"; }

    std::string operator()(const PartKey::Window& window) const {
        return fmt::format("{} to {}", rfc3339(window.from), rfc3339(window.to));
    }

    std::string operator()(const PartKey::Range& range) const {
        return fmt::format("events {} to {}", range.first, range.last);
    }

    std::string operator()(const etl::Guid& guid) const {
        const std::string name = provider_name(guid);
        return name.empty() ? "provider " + guid_text(guid)
                            : fmt::format("provider {} ({})", name, guid_text(guid));
    }

    std::string operator()(PartKey::Process process) const {
        if (process.id == etl::flow::no_id) {
            return "no process";
        }
        const std::string_view name = name_of(process, names);
        return fmt::format("process {}{}{}", process.id, name.empty() ? "" : " ", printable(name));
    }

    std::string operator()(PartKey::Processor processor) const {
        return fmt::format("processor {}", processor.number);
    }
};

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
        text += fmt::format("{}: {}, {}", printable(part.path),
                            std::visit(KeyText{names}, part.key.value), plural(events, "event"));
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
