// Events as rows of a table. Private to explore.
#pragma once

#include "analysis/table.hpp"
#include "dataset/dataset.hpp"
#include "facts/attributor.hpp"
#include "flow/pipeline.hpp"
#include "match/matcher.hpp"
#include "sink/text.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace etl::explore {

/// A table with the columns of events, and of fields with these paths.
analysis::Table events_table(std::span<const std::string> fields = {});

/// What events are made into rows with. Shared by threads.
struct RowOptions {
    dataset::Context context{};
    decode::DecoderOptions decoder{};
    std::shared_ptr<const CodePage> code_page{};
    std::optional<match::Condition> where{}; // which events have a row
    std::optional<match::Condition> found{}; // which of those are returned; none: all
    std::vector<std::string> fields{};       // paths of those with columns
};

/// The rows of consecutive events.
struct RowBatch final : flow::BatchResult {
    std::vector<analysis::Row> rows; // that are returned; their numbers are those in the batch
    std::uint64_t events = 0;        // that have a row
};

/// Which fields of a kind have columns.
class ShownFields {
public:
    /// By number of the field: its column, or none.
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    /// Returns the columns of the fields of an event, which has a schema; empty: it has none of
    /// these fields. Valid until the next call.
    const std::vector<std::uint32_t>& of(const decode::DecodedEvent& event,
                                         std::uint32_t generation,
                                         const std::vector<std::string>& fields);

private:
    std::vector<std::optional<std::vector<std::uint32_t>>> kinds_; // by number
    std::uint32_t generation_ = 0;
};

/// Makes a RowBatch of each batch of events.
class RowWorker final : public flow::BatchWorker {
public:
    explicit RowWorker(std::shared_ptr<const RowOptions> options);
    ~RowWorker() override;

    std::unique_ptr<flow::BatchWorker> clone() const override;
    std::unique_ptr<flow::BatchResult> work(std::span<const flow::Run> events) override;

private:
    analysis::Row row_of(const decode::DecodedEvent& event, std::uint64_t number);
    void add_fields(const decode::DecodedEvent& event, analysis::Row& row);

    std::shared_ptr<const RowOptions> options_;
    decode::Decoder decoder_;
    facts::Attributor attributor_;
    sink::Text text_;
    std::optional<match::Matcher> where_, found_;
    ShownFields fields_;
    std::string scratch_;
};

/// The cell of `row` of a row of events.
inline std::uint64_t& number_of(analysis::Row& row) {
    return std::get<std::uint64_t>(row.cells.front());
}

} // namespace etl::explore
