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

namespace etl::explore {

/// A table with the columns of events.
analysis::Table events_table();

/// What events are made into rows with. Shared by threads.
struct RowOptions {
    dataset::Context context{};
    decode::DecoderOptions decoder{};
    std::shared_ptr<const CodePage> code_page{};
    std::optional<match::Condition> where{}; // which events have a row
    std::optional<match::Condition> found{}; // which of those are returned; none: all
};

/// The rows of consecutive events.
struct RowBatch final : flow::BatchResult {
    std::vector<analysis::Row> rows; // that are returned; their numbers are those in the batch
    std::uint64_t events = 0;        // that have a row
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
    void append_text(const decode::DecodedEvent& event);

    std::shared_ptr<const RowOptions> options_;
    decode::Decoder decoder_;
    facts::Attributor attributor_;
    sink::Text text_;
    std::optional<match::Matcher> where_, found_;
    std::string scratch_;
};

/// The cell of `row` of a row of events.
inline std::uint64_t& number_of(analysis::Row& row) {
    return std::get<std::uint64_t>(row.cells.front());
}

} // namespace etl::explore
