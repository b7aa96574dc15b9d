#include "authoring/compact/names.hpp"

#include "authoring/compact/spelling.hpp"
#include "schema/winmeta.hpp"

#include <fmt/format.h>

namespace etl::authoring {

namespace {

bool is_in_a_task(const schema::EventSchema& event) noexcept {
    return event.task != 0 || !event.task_name.empty() || event.task_guid != Guid();
}

std::string opcode_lines(const std::map<std::uint8_t, std::string>& opcodes) {
    std::string text;
    for (const auto& [value, name] : opcodes) {
        if (name != schema::winmeta::opcode_name(value)) {
            text += fmt::format("opcode {} {}\n", value, compact_name(name));
        }
    }
    return text;
}

} // namespace

CompactNames::CompactNames(const std::vector<std::shared_ptr<const schema::EventSchema>>& events) {
    for (const auto& event : events) {
        Opcodes* opcodes = &opcodes_;
        if (is_in_a_task(*event)) {
            const auto [known, is_new] = tasks_.try_emplace(event->task);
            if (is_new || known->second.name.empty()) {
                known->second.name = event->task_name;
                known->second.guid = event->task_guid;
            }
            opcodes = &known->second.opcodes;
        }
        if (!event->opcode_name.empty()) {
            opcodes->try_emplace(event->opcode, event->opcode_name);
        }
    }
}

std::string CompactNames::lines() const {
    std::string text = opcode_lines(opcodes_);
    for (const auto& [value, task] : tasks_) {
        const std::string opcodes = opcode_lines(task.opcodes);
        if (task.name.empty() && task.guid == Guid() && opcodes.empty()) {
            continue;
        }
        text += fmt::format("task {} {}", value, compact_name(task.name));
        text += task.guid == Guid() ? "\n" : fmt::format(" {}\n", to_string(task.guid));
        text += opcodes;
    }
    return text;
}

// As the reader looks it up.
std::string CompactNames::opcode_name(const schema::EventSchema& event) const {
    if (const auto task = tasks_.find(event.task); task != tasks_.end()) {
        const auto own = task->second.opcodes.find(event.opcode);
        if (own != task->second.opcodes.end()) {
            return own->second;
        }
    }
    const auto own = opcodes_.find(event.opcode);
    return own != opcodes_.end() ? own->second
                                 : std::string(schema::winmeta::opcode_name(event.opcode));
}

std::string CompactNames::of(const schema::EventSchema& event) const {
    std::string text;
    if (is_in_a_task(event)) {
        const Task& task = tasks_.at(event.task);
        text += fmt::format(" task {}", event.task);
        if (task.name != event.task_name) {
            text += "=" + compact_name(event.task_name);
        }
        if (task.guid != event.task_guid) {
            text += " guid " + to_string(event.task_guid);
        }
    }
    if (event.opcode != 0 || !event.opcode_name.empty()) {
        text += fmt::format(" opcode {}", event.opcode);
        if (opcode_name(event) != event.opcode_name) {
            text += "=" + compact_name(event.opcode_name);
        }
    }
    return text;
}

} // namespace etl::authoring
