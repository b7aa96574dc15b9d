#include "schema/compact.hpp"

#include "base/text.hpp"
#include "schema/compact/fields.hpp"
#include "schema/compact/line.hpp"
#include "schema/event_name.hpp"
#include "schema/file_reading.hpp"
#include "schema/guarded.hpp"
#include "schema/limits.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

namespace etl::schema {

namespace {

class CompactReader {
public:
    std::expected<SchemaSet, FileError> read(std::string_view text) {
        for (std::size_t number = 1; !text.empty(); ++number) {
            CompactLine line(take_compact_line(text), number);
            if (line.at_end() && !line.error()) {
                continue;
            }
            read_line(line);
            if (!line.at_end()) {
                line.fail("expected the end of the line");
            }
            if (line.error()) {
                return std::unexpected(*line.error());
            }
            if (budget_.exhausted()) {
                return std::unexpected(
                    FileError{number, fmt::format("its schemas would take more than {} MB",
                                                  limits::manifest_schema_bytes >> 20U)});
            }
        }
        end_block();
        if (result_.providers.empty()) {
            return std::unexpected(FileError{0, "defines no provider"});
        }
        return std::move(result_);
    }

private:
    struct Task {
        std::string name;
        Guid guid;
        std::map<std::uint8_t, std::string> opcodes;
    };

    void read_line(CompactLine& line) {
        if (line.indent() != 0) {
            read_indented(line);
            return;
        }
        end_block();
        if (line.take_word("provider")) {
            read_provider(line);
        } else if (!provider_) {
            line.fail("expected `provider`");
        } else if (line.take_word("level")) {
            add(provider_->levels, line);
        } else if (line.take_word("keyword")) {
            add(provider_->keywords, line);
        } else if (line.take_word("channel")) {
            add(provider_->channels, line);
        } else if (line.take_word("task")) {
            read_task(line);
        } else if (line.take_word("opcode")) {
            const auto value = line.number<std::uint8_t>();
            (task_ == nullptr ? opcodes_ : task_->opcodes)[value] = kept(line);
        } else if (line.take_word("map")) {
            open_map(line, ValueMap::Kind::value);
        } else if (line.take_word("bits")) {
            open_map(line, ValueMap::Kind::bits);
        } else if (line.take_word("fields")) {
            open_template(line);
        } else if (line.take_word("event")) {
            read_event(line);
        } else {
            line.fail("not a valid line");
        }
    }

    void read_indented(CompactLine& line) {
        if (fields_) {
            fields_->read(line);
            budget_.charge(sizeof(Field));
        } else if (map_) {
            read_entries(line);
        } else {
            line.fail("indented, but not after `fields` or `map`");
        }
    }

    void end_block() {
        if (fields_) {
            fields_->finish();
            fields_.reset();
        }
        map_.reset();
    }

    void read_provider(CompactLine& line) {
        provider_ = std::make_shared<ProviderNames>();
        provider_->name = kept(line);
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            line.fail("expected a GUID");
            return;
        }
        line.next();
        provider_->guid = *guid;
        budget_.charge(sizeof(ProviderNames));
        result_.providers.push_back(provider_);
        tasks_.clear();
        task_ = nullptr;
        opcodes_.clear();
        maps_.clear();
        templates_.clear();
    }

    template <typename Value>
    void add(std::vector<std::pair<Value, std::string>>& to, CompactLine& line) {
        const auto value = line.number<Value>();
        to.emplace_back(value, kept(line));
        budget_.charge(sizeof(to.front()));
    }

    void read_task(CompactLine& line) {
        Task task;
        const auto value = line.number<std::uint16_t>();
        task.name = kept(line);
        if (!line.at_end()) {
            task.guid = read_guid(line);
        }
        task_ = &(tasks_[value] = std::move(task));
        budget_.charge(sizeof(Task));
    }

    void open_map(CompactLine& line, ValueMap::Kind kind) {
        map_ = std::make_shared<ValueMap>();
        map_->kind = kind;
        map_->name = kept(line);
        budget_.charge(sizeof(ValueMap));
        maps_[map_->name] = map_; // for the templates that follow
        read_entries(line);
    }

    void read_entries(CompactLine& line) {
        while (!line.at_end()) {
            const auto value = line.number<std::uint32_t>();
            line.expect_mark('=');
            map_->entries.emplace_back(value, kept(line));
            budget_.charge(sizeof(map_->entries.front()));
        }
    }

    void open_template(CompactLine& line) {
        const auto number = line.number<std::uint32_t>();
        CompactTemplate& to = templates_[number] = CompactTemplate();
        if (line.take_word("userdata")) {
            to.user_data = kept(line);
            to.bytes += to.user_data.size();
        }
        budget_.charge(sizeof(CompactTemplate));
        fields_.emplace(to, maps_);
    }

    void read_event(CompactLine& line) {
        auto event = std::make_shared<EventSchema>();
        event->provider = provider_;
        event->id = line.number<std::uint16_t>();
        event->version = line.number<std::uint8_t>();
        std::optional<std::string> name;
        while (!line.at_end()) {
            read_property(line, *event, name);
        }
        event->event_name = name ? std::move(*name)
                                 : compose_event_name(event->task_name, event->opcode,
                                                      event->opcode_name, event->symbol);
        budget_.charge(sizeof(EventSchema) + event->event_name.size());
        result_.events.push_back(std::move(event));
    }

    void read_property(CompactLine& line, EventSchema& event, std::optional<std::string>& name) {
        if (line.take_word("level")) {
            event.level = line.number<std::uint8_t>();
        } else if (line.take_word("channel")) {
            event.channel = line.number<std::uint8_t>();
        } else if (line.take_word("task")) {
            read_event_task(line, event);
        } else if (line.take_word("opcode")) {
            read_event_opcode(line, event);
        } else if (line.take_word("keywords")) {
            event.keyword = line.number<std::uint64_t>();
        } else if (line.take_word("symbol")) {
            event.symbol = kept(line);
        } else if (line.take_word("tags")) {
            event.tags = line.number<std::uint32_t>();
        } else if (line.take_word("guid")) {
            event.task_guid = read_guid(line);
        } else if (line.take_word("name")) {
            name = kept(line);
        } else if (line.take_word("fields")) {
            read_event_fields(line, event);
        } else {
            line.fail("not a valid property of an event");
        }
    }

    // `task 3` has the name of the task; `task 3=Other` a name of its own.
    void read_event_task(CompactLine& line, EventSchema& event) {
        event.task = line.number<std::uint16_t>();
        if (const auto known = tasks_.find(event.task); known != tasks_.end()) {
            event.task_name = booked(known->second.name);
            event.task_guid = known->second.guid;
        }
        if (line.take_mark('=')) {
            event.task_name = kept(line);
        }
    }

    void read_event_opcode(CompactLine& line, EventSchema& event) {
        event.opcode = line.number<std::uint8_t>();
        event.opcode_name =
            line.take_mark('=') ? kept(line) : booked(opcode_name(event.task, event.opcode));
    }

    std::string opcode_name(std::uint16_t task, std::uint8_t opcode) const {
        if (const auto known = tasks_.find(task); known != tasks_.end()) {
            const auto own = known->second.opcodes.find(opcode);
            if (own != known->second.opcodes.end()) {
                return own->second;
            }
        }
        const auto own = opcodes_.find(opcode);
        return own != opcodes_.end() ? own->second : std::string(winmeta::opcode_name(opcode));
    }

    void read_event_fields(CompactLine& line, EventSchema& event) {
        const auto number = line.number<std::uint32_t>();
        const auto known = templates_.find(number);
        if (known == templates_.end()) {
            line.fail(fmt::format("fields {} are missing", number));
        } else if (budget_.charge(known->second.bytes)) {
            event.fields = known->second.fields;
            event.maps = known->second.maps;
            event.user_data = known->second.user_data;
        }
    }

    static Guid read_guid(CompactLine& line) {
        const auto guid = parse_guid(line.token().text);
        if (!guid) {
            line.fail("expected a GUID");
            return {};
        }
        line.next();
        return *guid;
    }

    std::string kept(CompactLine& line) { return booked(line.name()); }

    std::string booked(std::string text) {
        budget_.charge(text.size());
        return text;
    }

    SchemaSet result_;
    SchemaBudget budget_;
    std::shared_ptr<ProviderNames> provider_;
    std::map<std::uint16_t, Task> tasks_;
    Task* task_ = nullptr;
    std::map<std::uint8_t, std::string> opcodes_; // of the provider
    CompactMaps maps_;
    std::shared_ptr<ValueMap> map_; // that the next lines can continue
    std::map<std::uint32_t, CompactTemplate> templates_;
    std::optional<CompactFields> fields_; // likewise
};

std::expected<SchemaSet, FileError> parse_checked_text(Bytes file) {
    if (file.size() > limits::manifest_file_bytes) {
        return std::unexpected(
            FileError{0, fmt::format("is larger than {} MB", limits::manifest_file_bytes >> 20U)});
    }
    const std::string_view text = as_text(file);
    if (!is_valid_utf8(text)) {
        return std::unexpected(FileError{0, "is not UTF-8"});
    }
    return CompactReader().read(text);
}

} // namespace

std::expected<SchemaSet, FileError> parse_compact(Bytes text) {
    return guarded([&] { return parse_checked_text(text); });
}

} // namespace etl::schema
