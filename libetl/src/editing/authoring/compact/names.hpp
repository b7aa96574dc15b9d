// Tasks and opcodes of one provider in the compact form: the names that lines of their own give to
// them, and what an event has to add. One thread. schemas/README.md
#pragma once

#include "schema/event_schema.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace etl::authoring {

class CompactNames {
public:
    /// The first name of each task and opcode counts. `events` must outlive this.
    explicit CompactNames(const std::vector<std::shared_ptr<const schema::EventSchema>>& events);

    /// The lines of tasks and opcodes.
    std::string lines() const;

    /// ` task 10 opcode 11`; empty for an event that has neither.
    std::string of(const schema::EventSchema& event) const;

private:
    using Opcodes = std::map<std::uint8_t, std::string>;

    struct Task {
        std::string name;
        Guid guid;
        Opcodes opcodes;
    };

    std::string opcode_name(const schema::EventSchema& event) const;

    std::map<std::uint16_t, Task> tasks_;
    Opcodes opcodes_; // of events without a task
};

} // namespace etl::authoring
