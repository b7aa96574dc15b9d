// UserData of an event log by the template of a manifest: its elements and attributes with the
// values of an event. Private to sink. docs/output.md#evtx
#pragma once

#include "sink/log/log_values.hpp"
#include "sink/windows_event.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace etl::sink {

/// What a template makes of the fields of one kind of event.
struct LogUserDataShape {
    static constexpr std::uint32_t no_property = 0xFFFFFFFF;

    std::string root;                       // name of the element in UserData
    std::vector<evtx::Field> fields;        // without values, except literals
    std::vector<std::uint32_t> properties;  // of each of `fields`: whose value it has, or none
    std::vector<std::uint32_t> property_of; // by field of the schema
    std::vector<bool> is_member;            // by field of the schema: of a structure
    std::uint32_t count = 0;                // of properties
    std::deque<std::vector<std::byte>> literals;
};

/// Reusable: keeps its memory.
class LogUserData {
public:
    /// Begins an event. Returns false if its template cannot be used: it has EventData then.
    bool start(const WindowsEvent& event, std::uint32_t generation);

    /// Adds a value of the event, whose bytes must outlive the fields.
    void add(std::uint32_t field, const decode::Value& value, bool is_item,
             const decode::DisplayOptions& display);

    const std::string& root() const noexcept { return shape_->root; }

    /// Valid until the next call of start().
    std::span<const evtx::Field> list();

private:
    /// A property with several values that an event log cannot store as an array has their texts.
    struct Property {
        static constexpr std::size_t none = ~std::size_t{0};

        std::size_t value = none; // in values_
        bool is_joined = false;
        std::string text;
    };

    std::vector<std::unique_ptr<LogUserDataShape>> shapes_; // by number of the kind; empty: none
    std::vector<bool> is_made_;
    std::uint32_t generation_ = 0;
    LogUserDataShape* shape_ = nullptr;
    LogFields values_;
    std::vector<Property> properties_;
};

} // namespace etl::sink
