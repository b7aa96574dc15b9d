// One pass over the events of the traces. Private to sql.
#pragma once

#include "match/kind_filter.hpp"
#include "sink/json.hpp"
#include "sql/event_table.hpp"
#include "sql/members.hpp"

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace etl::sql {

class EventCursor final : public Cursor {
public:
    explicit EventCursor(const EventTable& table) : table_(&table) {}

    int start(std::string_view plan, std::span<sqlite3_value*> values) override;
    int next() override;

    bool at_end() const noexcept override { return event_ == nullptr; }

    void value(sqlite3_context* to, std::size_t column) override;

private:
    bool open_events(const EventPlan& plan, const std::optional<match::Condition>& where);
    void choose_columns(const EventPlan& plan, std::optional<match::Condition> where);
    dataset::Selection selection_of(const match::Condition& where, bool has_window);
    int fail_at_end();

    static constexpr std::size_t no_member = SIZE_MAX;

    const EventTable* table_;
    // Members refer to those before them.
    std::unique_ptr<match::KindFilter> kinds_;
    std::shared_ptr<dataset::Dataset> traces_;
    std::optional<dataset::Events> source_; // of traces_
    std::optional<flow::EventCursor> events_;
    std::optional<sink::JsonLines> encoder_; // none: nothing of the events is needed
    Members members_;
    std::vector<std::size_t> member_of_; // by column: number in members_
    const flow::Event* event_ = nullptr;
    std::string object_, scratch_;
    std::optional<match::Condition> where_;
    std::atomic<std::uint64_t> untimed_ = 0; // left out of the window
    bool has_match_ = false;
    std::uint64_t seen_ = 0;
};

} // namespace etl::sql
