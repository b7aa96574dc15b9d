#include "verbs/export/table_parts.hpp"

#include "columns/builder.hpp"
#include "columns/limits.hpp"
#include "decode/decoder.hpp"

#include <map>
#include <utility>

namespace cli {

namespace {

using etl::columns::BatchColumn;
using etl::columns::Builder;
using etl::columns::Layout;
using etl::decode::DecodedEvent;

/// Tables that a worker keeps between batches: each has buffers of its own.
constexpr std::size_t max_kept_tables = 4096;

struct WorkedTable {
    WorkedTable(std::shared_ptr<const TableOfKind> of, const Layout& layout,
                const etl::CodePage* code_page)
        : shared(std::move(of)), builder(layout, etl::columns::limits::batch_rows, code_page) {}

    std::shared_ptr<const TableOfKind> shared;
    Builder builder;
    std::uint64_t unrepresentable = 0, unset_times = 0; // so far
    bool is_touched = false;                            // in this batch
};

std::string_view view_of(const std::optional<std::string>& name) noexcept {
    return name ? std::string_view(*name) : std::string_view();
}

std::string key_of(const DecodedEvent& event, const std::vector<BatchColumn>& columns) {
    std::string key = event.kind->schema != nullptr ? etl::sink::key_of_kind(event) : "";
    for (const BatchColumn& column : columns) {
        key.push_back('\0');
        key.append(column.name).push_back('\0');
        key.push_back(static_cast<char>(column.type));
        key.push_back(column.is_list ? '[' : ' ');
    }
    return key;
}

TableOfKind table_of_kind(const DecodedEvent& event, const Layout& layout, std::string key) {
    TableOfKind table{.key = std::move(key),
                      .kind = {},
                      .is_decoded = event.kind->schema != nullptr,
                      .columns = layout.columns(),
                      .omitted = layout.omitted()};
    if (table.is_decoded) {
        table.kind.provider_guid = to_string(event.header.provider);
        table.kind.provider = event.kind->provider.value_or(table.kind.provider_guid);
        table.kind.event = event.kind->event.value_or("");
        table.kind.id = event.header.id;
        table.kind.version = event.header.version;
    }
    return table;
}

class TableWorker final : public etl::flow::BatchWorker {
public:
    explicit TableWorker(const etl::sink::Options& options)
        : options_(options), decoder_(options.schemas, options.decoder()),
          matches_(options.matcher()), met_(options.tally) {}

    std::unique_ptr<BatchWorker> clone() const override {
        return std::make_unique<TableWorker>(options_);
    }

    std::unique_ptr<etl::flow::BatchResult> work(std::span<const etl::flow::Run> events) override {
        auto parts = std::make_unique<TableParts>();
        for (const etl::flow::Run& run : events) {
            for (const etl::flow::Event& event : run) {
                add(decoder_.decode(event), *parts);
            }
        }
        for (WorkedTable* const table : std::exchange(touched_, {})) {
            table->is_touched = false;
            take(*table, *parts);
        }
        if (tables_.size() > max_kept_tables) {
            by_kind_.clear();
            tables_.clear();
        }
        return parts;
    }

private:
    void add(const DecodedEvent& event, TableParts& parts) {
        if (matches_ && !(*matches_)(event, decoder_.generation())) {
            met_.reject(event, decoder_.generation());
            return;
        }
        met_.add(event, decoder_.generation());
        WorkedTable& table = table_of(event);
        if (!table.is_touched) {
            table.is_touched = true;
            touched_.push_back(&table);
        }
        const bool is_valid =
            table.builder.add(event, decoder_.generation(), view_of(event.kind->provider),
                              view_of(event.kind->event));
        parts.errors += is_valid ? 0 : 1;
        if (event.items.has_stack || event.items.has_others) [[unlikely]] {
            add_items(event, parts);
        }
        if (table.builder.is_full()) [[unlikely]] {
            take(table, parts);
        }
    }

    static void add_items(const DecodedEvent& event, TableParts& parts) {
        using etl::format::ItemType;
        ++parts.with_items;
        if (!event.items.has_others) {
            parts.item_types.set(static_cast<std::size_t>(ItemType::stack_trace64));
            return;
        }
        etl::format::ExtendedItems items(event.header.items);
        etl::format::ExtendedItem item;
        while (items.next(item)) {
            const bool has_column = item.type == ItemType::related_activity_id ||
                                    item.type == ItemType::event_schema_tl ||
                                    item.type == ItemType::provider_traits;
            if (!has_column) {
                parts.item_types.set(
                    std::min(static_cast<std::size_t>(item.type), parts.item_types.size() - 1));
            }
        }
    }

    static void take(WorkedTable& table, TableParts& parts) {
        if (table.builder.rows() > 0) {
            parts.parts.push_back({table.shared, table.builder.take()});
        }
        const std::uint64_t unrepresentable = table.builder.unrepresentable();
        parts.unrepresentable +=
            unrepresentable - std::exchange(table.unrepresentable, unrepresentable);
        const std::uint64_t unset = table.builder.unset_times();
        parts.unset_times += unset - std::exchange(table.unset_times, unset);
    }

    WorkedTable& table_of(const DecodedEvent& event) {
        if (generation_ != decoder_.generation()) {
            generation_ = decoder_.generation();
            by_kind_.clear();
        }
        const std::uint32_t number = event.kind->number;
        if (number >= by_kind_.size()) {
            by_kind_.resize(number + std::size_t{1}, nullptr);
        }
        WorkedTable*& table = by_kind_[number];
        if (table == nullptr) [[unlikely]] {
            table = &find_table(event);
        }
        return *table;
    }

    WorkedTable& find_table(const DecodedEvent& event) {
        Layout layout({.details = true, .enumerations = true, .json_texts = true, .repeats = true});
        layout.add(*event.kind);
        std::string key = key_of(event, layout.columns());
        const auto known = tables_.find(key);
        if (known != tables_.end()) {
            return known->second;
        }
        auto shared = std::make_shared<const TableOfKind>(table_of_kind(event, layout, key));
        return tables_
            .try_emplace(std::move(key), std::move(shared), layout, options_.code_page.get())
            .first->second;
    }

    etl::sink::Options options_;
    etl::decode::Decoder decoder_;
    std::optional<etl::match::Matcher> matches_; // none: all events
    etl::sink::Tally::Part met_;
    std::map<std::string, WorkedTable> tables_; // by key
    std::vector<WorkedTable*> by_kind_;         // by number; null: not met yet
    std::uint32_t generation_ = 0;
    std::vector<WorkedTable*> touched_; // in the order of their first events in this batch
};

} // namespace

std::unique_ptr<etl::flow::BatchWorker> make_table_worker(const etl::sink::Options& options) {
    return std::make_unique<TableWorker>(options);
}

} // namespace cli
