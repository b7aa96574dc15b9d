// Marks that a user set while a trace was recorded. docs/xperf.md#tables
#include "analysis/groups.hpp"
#include "analysis/table_list.hpp"
#include "decode/display_value.hpp"

namespace etl::analysis {

namespace {

class Marks final : public Analyzer {
public:
    void subscribe(Subscriptions& subscriptions) override {
        constexpr std::uint16_t mark = 0x0F22;
        subscriptions.hook(mark, 0, {});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        decoder_.emplace(*context.schemas);
    }

    void add(const Record& record) override {
        if (!record.in_range) {
            return;
        }
        if (rows_.size() >= limits::analysis_operations) {
            ++dropped_;
            return;
        }
        const auto time = context().trace->clock.to_filetime(record.time).ticks;
        rows_.push_back({.cells = {static_cast<std::uint64_t>(time), text_of(*record.event)}});
    }

    Table finish() override {
        Table table;
        table.name = "marks";
        table.is_ordered = true;
        table.columns = {key_column("time", Unit::time), key_column("mark", Unit::text)};
        table.rows = std::move(rows_);
        if (table.rows.empty()) {
            table.coverage.not_recorded.push_back({"marks", {}, "xperf -m TEXT, or wpr -marker"});
        }
        table.coverage.remainders.push_back({"dropped_rows", dropped_});
        return table;
    }

private:
    /// The first field.
    std::string text_of(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_->decode(event);
        decode::FieldWalker walker;
        walker.start(decoded.kind->plan, decoded.body);
        std::string text;
        if (walker.next() == decode::Step::value) {
            decode::append_display(text, walker.value(), decode::options_for({}, decoded));
        }
        return text;
    }

    std::optional<decode::Decoder> decoder_;
    std::vector<Row> rows_;
    std::uint64_t dropped_ = 0;
};

constexpr auto marks_forms = forms_of(
    marks_table, {
                     {.needs = TableNeeds::schemas, .has_processes = false, .make = make<Marks>},
                 });

} // namespace

constinit const TableKind marks_table{
    .name = "marks",
    .question = "When were marks set?",
    .is_queried = false,
    .forms = marks_forms,
};

} // namespace etl::analysis
