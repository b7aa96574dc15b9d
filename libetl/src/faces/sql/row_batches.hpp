// Rows of events, made in batches by several threads. Private to sql.
#pragma once

#include "flow/filters.hpp"
#include "flow/pipeline.hpp"
#include "sink/json.hpp"
#include "sql/members.hpp"
#include "sql/row_scan.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace etl::sql {

/// Where a value is in the text of a batch.
struct ValuePlace {
    std::uint32_t begin = 0, size = 0; // 0: the event does not have it
};

/// One row, of one event or several that are the same to the query.
struct BatchRow {
    std::uint64_t events = 1;
    std::optional<Filetime> time{}; // if the query asks for nanoseconds
};

/// Rows in order, and their values as JSON.
class RowBatch final : public flow::BatchResult {
public:
    explicit RowBatch(std::size_t members = 0) noexcept : members_(members) {}

    std::size_t size() const noexcept { return rows_.size(); }

    const BatchRow& row(std::size_t number) const noexcept { return rows_[number]; }

    /// Empty: NULL, or there is no such member.
    std::string_view value(std::size_t row, std::size_t member) const noexcept {
        if (member >= members_) {
            return {};
        }
        const ValuePlace& place = places_[row * members_ + member];
        return std::string_view(text_).substr(place.begin, place.size);
    }

    /// The text of the rows so far, to append the object of the next one to.
    std::string& text() noexcept { return text_; }

    /// Adds a row with the members of the last object in text(), which are found.
    void add(const BatchRow& row, const Members& members);

private:
    std::size_t members_;
    std::string text_;
    std::vector<ValuePlace> places_; // by row and member
    std::vector<BatchRow> rows_;
};

/// Texts, how often each occurred, and where it did first.
class CountedTexts {
public:
    void add(std::string_view text, std::uint64_t count, std::uint64_t first);

    std::size_t size() const noexcept { return counts_.size(); }

    bool is_empty() const noexcept { return counts_.empty(); }

    /// Bytes of memory, about.
    std::size_t bytes() const noexcept { return bytes_; }

    struct Count {
        std::uint64_t count = 0, first = 0;
    };

    const auto& counts() const noexcept { return counts_; }

    void clear() noexcept {
        counts_.clear();
        bytes_ = 0;
    }

private:
    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const noexcept {
            return std::hash<std::string_view>()(text);
        }
    };

    std::unordered_map<std::string, Count, Hash, std::equal_to<>> counts_;
    std::size_t bytes_ = 0;
};

/// How the events of a batch become rows.
enum class Grouping : std::uint8_t {
    none,    // a row for each event
    by_kind, // a row for all events whose kind, and the parts of GroupKey, are the same
    by_text, // a row for all events whose values are the same
};

/// What distinguishes groups besides the kind of the events.
struct GroupKey {
    bool has_kind = false;
    bool has_process = false, has_thread = false, has_processor = false;
    bool has_origin = false;
};

/// What a query asks of the events.
struct RowOptions {
    sink::Options encoding{};         // with the condition
    Members members{};                // of objects
    bool has_nanoseconds = false;     // BatchRow::time is wanted
    flow::TimeFilter::Window exact{}; // events with other times are left out
    std::vector<RowTest> tests{};     // events that do not meet all are left out
    Grouping grouping = Grouping::none;
    GroupKey key{};
    const rows::RowEncoder* encoder = nullptr; // of rows that become text; null: they do not
    std::vector<ValueSource> encoded{};        // the columns of these

    /// False: only the number of the events, and their times.
    bool needs_objects() const noexcept { return !members.is_empty() || encoding.where; }
};

/// The result of a batch with Grouping: by_kind or by_text.
struct GroupBatch final : flow::BatchResult {
    CountedTexts groups; // objects; `first` is the number of the event in the batch
    std::uint64_t events = 0;
};

/// Makes a RowBatch of each batch, or a GroupBatch if events are grouped, or a TextBatch if rows
/// are encoded.
class RowWorker final : public flow::BatchWorker {
public:
    explicit RowWorker(std::shared_ptr<const RowOptions> options);
    ~RowWorker() override;

    std::unique_ptr<flow::BatchWorker> clone() const override;
    std::unique_ptr<flow::BatchResult> work(std::span<const flow::Run> events) override;

private:
    class Groups;

    std::unique_ptr<RowBatch> rows_of(std::span<const flow::Run> events);
    std::unique_ptr<GroupBatch> groups_of(std::span<const flow::Run> events);
    std::unique_ptr<TextBatch> text_of(std::span<const flow::Run> events);
    bool append_object(const flow::Event& event, std::string& to);
    bool read_row(const flow::Event& event, std::string& to);
    std::optional<Filetime> time_of(const flow::Event& event) const;

    std::shared_ptr<const RowOptions> options_;
    Members members_;
    std::optional<sink::JsonLines> encoder_; // none: no objects are needed
    std::unique_ptr<Groups> groups_;         // of Grouping::by_kind
    std::unique_ptr<rows::RowEncoder> rows_; // null: rows do not become text
    std::vector<rows::Value> values_;        // of a row
    std::vector<std::string> texts_;         // of these
    std::size_t text_bytes_ = 0;             // of the previous batch of rows
};

} // namespace etl::sql
