#include <etl/authoring/cpp_header.hpp>
#include <etl/authoring/provider_events.hpp>
#include <etl/schema/limits.hpp>
#include <etl/schema/winmeta.hpp>

#include "authoring/cpp/events.hpp"
#include "authoring/written_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <tuple>

namespace etl::authoring {

namespace {

constexpr std::string_view head = "// Made by `etl schema header`: changes are lost.\n"
                                  "#pragma once\n"
                                  "\n"
                                  "#include <etl/provider/manifest_event.hpp>\n"
                                  "\n"
                                  "#include <cstddef>\n"
                                  "#include <cstdint>\n"
                                  "#include <span>\n"
                                  "#include <string_view>\n";

// One constant of a list.
struct Constant {
    std::uint64_t value;
    std::string text; // as the manifest says it
};

auto order_of(const schema::EventSchema& event) {
    return std::tuple(event.id, event.version, event.channel, event.task, event.opcode, event.level,
                      event.keyword, std::string_view(event.symbol));
}

bool has_own_payload(const schema::EventSchema& event) noexcept {
    return event.origin != schema::Origin::mof && event.origin != schema::Origin::wpp &&
           event.origin != schema::Origin::tracelogging;
}

// The header's part for one provider.
class ProviderText {
public:
    ProviderText(const ProviderEvents& provider, WrittenNotes& notes)
        : names_(&provider.names), notes_(&notes) {
        using Place =
            std::pair<std::size_t, const schema::EventSchema*>; // keeps the order of equals
        std::vector<Place> places;
        for (const auto& event : provider.events) {
            if (has_own_payload(*event)) {
                places.emplace_back(places.size(), event.get());
            }
        }
        std::ranges::sort(places, {}, [](const Place& place) {
            return std::pair(order_of(*place.second), place.first);
        });
        for (const Place& place : places) {
            events_.push_back(place.second);
        }
        for (const char* name : {"provider_name", "provider_guid", "keyword", "level", "task",
                                 "opcode", "channel", "descriptor"}) {
            types_.scope().reserve(name);
        }
    }

    std::string write(std::string_view name_space) {
        // Functions have the first choice of names: theirs must not depend on templates.
        std::vector<std::string> names;
        names.reserve(events_.size());
        for (const schema::EventSchema* event : events_) {
            names.push_back(types_.scope().take(function_name(*event), "event"));
        }
        CppCode functions;
        CppCode descriptors;
        for (std::size_t i = 0; i < events_.size() && !is_full(functions.text()); ++i) {
            add_descriptor(descriptors, *events_[i], names[i]);
            add_function(functions, *events_[i], names[i]);
        }
        CppCode code;
        code.blank().open_namespace(name_space).blank();
        code.line("inline constexpr std::string_view provider_name = {};",
                  string_literal(names_->name));
        code.line("inline constexpr etl::Guid provider_guid = etl::parse_guid(\"{}\").value();",
                  to_string(names_->guid));
        code.blank();
        add_constants(code);
        code.add(types_.code());
        code.open_namespace("descriptor").add(descriptors).close_namespace("descriptor");
        code.add(functions).blank().close_namespace(name_space);
        return code.text();
    }

private:
    static bool is_full(const std::string& text) noexcept {
        return text.size() > limits::manifest_file_bytes;
    }

    static std::string function_name(const schema::EventSchema& event) {
        if (std::string name = snake_name(event.symbol); !name.empty()) {
            return name;
        }
        const std::string version = event.version == 0 ? "" : fmt::format("_v{}", event.version);
        const std::string opcode = event.opcode == 0 ? "" : event.opcode_name;
        const std::string what = event.task_name + ' ' + opcode;
        const std::string id = fmt::format("_{}{}", event.id, version);
        const std::string name = snake_name(what);
        return (name.empty() ? "event" : name) + id;
    }

    // The message compiler marks the channel of an event in its keyword: bit 63 for the first one
    // of the provider, 62 for the second, eight at most. docs/format/decoding.md#winmeta
    std::uint64_t keyword_of(const schema::EventSchema& event) const noexcept {
        constexpr std::size_t most_channels = 8;
        if (event.origin != schema::Origin::manifest) {
            return event.keyword;
        }
        for (std::size_t i = 0; i < std::min(most_channels, names_->channels.size()); ++i) {
            if (names_->channels[i].first == event.channel) {
                return event.keyword | (std::uint64_t{1} << (63U - i));
            }
        }
        return event.keyword;
    }

    void add_descriptor(CppCode& code, const schema::EventSchema& event,
                        const std::string& name) const {
        code.line("inline constexpr etl::provider::EventDescriptor {}{{.id = {}, .version = {}, "
                  ".channel = {}, .level = {}, .opcode = {}, .task = {}, .keyword = 0x{:X}}};",
                  name, event.id, event.version, event.channel, event.level, event.opcode,
                  event.task, keyword_of(event));
    }

    void add_function(CppCode& code, const schema::EventSchema& event, const std::string& name) {
        const std::string_view level = names_->level_name(event.level);
        code.blank();
        code.line("/// Event {}, version {}{}.", event.id, event.version,
                  level.empty() ? "" : ", level " + comment_text(level));
        if (!event.message.empty()) {
            code.line("/// {}", comment_text(event.message));
        }
        const auto made = cpp_function(event, types_);
        if (!made) {
            add_refusal(code, event, made.error());
            return;
        }
        code.line("[[nodiscard]] inline etl::provider::Event {}(", name).add(made->parameters);
        code.open("    etl::provider::Event memory = {{}})");
        const std::string begin = fmt::format("memory.begin(provider_guid, descriptor::{})", name);
        if (made->body.empty()) {
            code.line("{};", begin);
        } else {
            code.line("etl::provider::PayloadWriter payload({});", begin).add(made->body);
        }
        code.line("return memory;").close();
    }

    void add_refusal(CppCode& code, const schema::EventSchema& event, const CppRefusal& why) {
        const std::string field = why.field.empty() ? "" : fmt::format("field `{}` ", why.field);
        notes_->add(fmt::format("event {} version {} of {} has no function: {}{}", event.id,
                                event.version, names_->name, field, why.what));
        code.line("// It has no function: {}", comment_text(field + why.what));
    }

    template <typename Value>
    static std::vector<Constant>
    constants_of(const std::vector<std::pair<Value, std::string>>& named) {
        std::vector<Constant> list;
        list.reserve(named.size());
        for (const auto& [value, name] : named) {
            list.push_back({value, name});
        }
        return list;
    }

    void add_constants(CppCode& code) const {
        std::vector<Constant> levels = constants_of(names_->levels);
        std::vector<Constant> tasks;
        for (const schema::EventSchema* event : events_) {
            if (const auto name = schema::winmeta::level_name(event->level); !name.empty()) {
                levels.push_back({event->level, std::string(name)});
            }
            if (!event->task_name.empty()) {
                tasks.push_back({event->task, event->task_name});
            }
        }
        add_list(code, "keyword", "std::uint64_t", constants_of(names_->keywords));
        add_list(code, "level", "std::uint8_t", std::move(levels));
        add_list(code, "channel", "std::uint8_t", constants_of(names_->channels));
        add_list(code, "task", "std::uint16_t", std::move(tasks));
        add_list(code, "opcode", "std::uint8_t", opcodes());
    }

    // Opcodes of one name that differ by task are told with it.
    std::vector<Constant> opcodes() const {
        std::map<std::string, std::set<std::uint8_t>> values;
        for (const schema::EventSchema* event : events_) {
            values[event->opcode_name].insert(event->opcode);
        }
        std::vector<Constant> list;
        for (const schema::EventSchema* event : events_) {
            if (!event->opcode_name.empty()) {
                const bool is_unique = values[event->opcode_name].size() == 1;
                list.push_back({event->opcode, is_unique
                                                   ? event->opcode_name
                                                   : event->task_name + ' ' + event->opcode_name});
            }
        }
        return list;
    }

    static void add_list(CppCode& code, std::string_view kind, std::string_view type,
                         std::vector<Constant> constants) {
        const auto key = [](const Constant& c) { return std::tie(c.value, c.text); };
        std::ranges::sort(constants, {}, key);
        const auto repeats = std::ranges::unique(constants, {}, key);
        constants.erase(repeats.begin(), repeats.end());
        if (constants.empty()) {
            return;
        }
        CppScope names;
        code.open_namespace(kind);
        for (const Constant& constant : constants) {
            const std::string name =
                names.take(snake_name(constant.text), fmt::format("{}_{}", kind, constant.value));
            code.line("inline constexpr {} {} = 0x{:X}; // {}", type, name, constant.value,
                      comment_text(constant.text));
        }
        code.close_namespace(kind).blank();
    }

    const schema::ProviderNames* names_;
    WrittenNotes* notes_;
    std::vector<const schema::EventSchema*> events_;
    CppTypes types_;
};

std::vector<ProviderEvents> sorted_providers(const schema::SchemaSet& set) {
    std::vector<ProviderEvents> providers = group_by_provider(set);
    std::erase_if(providers, [](const ProviderEvents& provider) {
        return std::ranges::none_of(provider.events,
                                    [](const auto& event) { return has_own_payload(*event); });
    });
    std::ranges::sort(providers, {}, [](const ProviderEvents& provider) {
        return std::tie(provider.names.name, provider.names.guid);
    });
    return providers;
}

Result<CppHeader> write(const schema::SchemaSet& set, const CppHeaderOptions& options) {
    if (!options.name_space.empty() && !is_name_space(options.name_space)) {
        return fail(ErrorCode::invalid_option, "namespace");
    }
    const std::vector<ProviderEvents> providers = sorted_providers(set);
    CppHeader header{std::string(head), {}};
    WrittenNotes notes;
    CppScope scope;
    for (const ProviderEvents& provider : providers) {
        const std::string own = scope.take(snake_name(provider.names.name), "provider");
        const std::string name_space = options.name_space.empty() ? "etw::" + own
                                       : providers.size() == 1    ? options.name_space
                                                                  : options.name_space + "::" + own;
        header.text += ProviderText(provider, notes).write(name_space);
        if (header.text.size() > limits::manifest_file_bytes) {
            return fail(ErrorCode::limit, "size of a header", {}, limits::manifest_file_bytes);
        }
    }
    header.notes = notes.take();
    return header;
}

} // namespace

Result<CppHeader> write_cpp_header(const schema::SchemaSet& set, const CppHeaderOptions& options) {
    try {
        return write(set, options);
    } catch (const std::bad_alloc&) {
        return fail(ErrorCode::limit, "memory");
    }
}

} // namespace etl::authoring
