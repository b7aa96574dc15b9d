#include <etl/etl.h>
#include <etl/explorer.hpp>

#include "capi/results.hpp"
#include "capi/values.hpp"

#include <list>
#include <memory>
#include <mutex>

using namespace etl;
using namespace etl::capi;

namespace {

/// The questions under way.
class Asking {
public:
    /// One of them, as long as it lives.
    class Question {
    public:
        Question(Asking& all, std::uint64_t number) : all_(&all) {
            const std::scoped_lock lock(all.mutex_);
            at_ = all.list_.emplace(all.list_.end(), number);
        }

        Question(const Question&) = delete;
        Question& operator=(const Question&) = delete;

        ~Question() {
            const std::scoped_lock lock(all_->mutex_);
            all_->list_.erase(at_);
        }

        const Stop* stop() const noexcept { return &at_->stop; }

    private:
        friend class Asking;

        struct Entry {
            explicit Entry(std::uint64_t of) noexcept : number(of) {}

            std::uint64_t number;
            Stop stop;
        };

        Asking* all_;
        std::list<Entry>::iterator at_;
    };

    void stop(std::uint64_t number) noexcept {
        const std::scoped_lock lock(mutex_);
        for (Question::Entry& entry : list_) {
            if (number == 0 || entry.number == number) {
                entry.stop.request();
            }
        }
    }

private:
    std::mutex mutex_;
    std::list<Question::Entry> list_;
};

} // namespace

struct etl_explorer {
    Explorer explorer;
    std::unique_ptr<Asking> asking = std::make_unique<Asking>();
};

struct etl_event_detail {
    EventDetail detail;
    etl_table fields, stack;
};

namespace {

explore::Selection selection_of(const etl_question& question) {
    return {.from = std::string(view_of(question.from)),
            .to = std::string(view_of(question.to)),
            .where = std::string(view_of(question.where)),
            .processes = list_of(question.processes, question.process_count)};
}

std::uint64_t rows_of(const etl_question& question) {
    return question.row_count != 0 ? question.row_count : explore::Rows{}.count;
}

explore::Rows page_of(const etl_question& question) {
    return {.first = question.first_row, .count = rows_of(question)};
}

Outcome write_page(Page answer, etl_table** table, etl_page* page) {
    if (page != nullptr) {
        const auto written =
            write_sized(page, {.struct_size = 0,
                               .first_row = answer.first_row,
                               .rows = answer.rows.value_or(ETL_UNKNOWN_ROWS),
                               .next_row = answer.next_row.value_or(ETL_UNKNOWN_ROWS)});
        if (!written) {
            return written;
        }
    }
    *table = new etl_table{std::move(answer.table)};
    return ETL_OK;
}

/// Asks a question that a page answers: `ask(question, stop)`.
template <typename Ask>
etl_status answer(etl_explorer* explorer, const etl_question* given, etl_table** table,
                  etl_page* page, etl_error** error, Ask&& ask) {
    return guarded(error, [&]() -> Outcome {
        *table = nullptr;
        const auto question = read_sized(given);
        if (!question) {
            return std::unexpected(question.error());
        }
        const Asking::Question under_way(*explorer->asking, question->number);
        auto found = ask(*question, under_way.stop());
        if (!found) {
            return failed(found.error());
        }
        return write_page(*std::move(found), table, page);
    });
}

} // namespace

etl_status etl_explorer_open(const char* const* paths, size_t count,
                             const etl_explorer_options* options, etl_explorer** explorer,
                             etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *explorer = nullptr;
        const auto how = read_sized(options);
        if (!how) {
            return std::unexpected(how.error());
        }
        auto opened = Explorer::open(list_of(paths, count),
                                     {.schemas = list_of(how->schemas, how->schema_count),
                                      .symbols = list_of(how->symbols, how->symbol_count),
                                      .threads = how->threads,
                                      .recursive = how->recursive != 0});
        if (!opened) {
            return failed(opened.error());
        }
        *explorer = new etl_explorer{*std::move(opened)};
        return ETL_OK;
    });
}

void etl_explorer_free(etl_explorer* explorer) {
    delete explorer;
}

int etl_explorer_is_indexed(const etl_explorer* explorer) {
    return explorer->explorer.is_indexed() ? 1 : 0;
}

etl_status etl_explorer_table(etl_explorer* explorer, const char* name,
                              const etl_question* question, etl_table** table, etl_page* page,
                              etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        explore::TableQuestion about{.name = std::string(view_of(name)),
                                     .by = std::string(view_of(asked.by)),
                                     .selection = selection_of(asked),
                                     .source = std::string(view_of(asked.source)),
                                     .excludes_interrupts = asked.without_interrupts != 0,
                                     .sort = std::string(view_of(asked.sort)),
                                     .is_reversed = asked.reverse != 0,
                                     .rows = page_of(asked)};
        about.slices = asked.slices != 0 ? asked.slices : about.slices;
        about.per_kind = asked.per_kind != 0 ? asked.per_kind : about.per_kind;
        return explorer->explorer.table(about, stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_flame(etl_explorer* explorer, const char* kind,
                              const etl_question* question, etl_table** table, etl_page* page,
                              etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        explore::FlameQuestion about{.selection = selection_of(asked),
                                     .source = std::string(view_of(asked.source)),
                                     .smallest_share = asked.smallest_share,
                                     .largest_depth = asked.largest_depth,
                                     .grouping = std::string(view_of(asked.grouping)),
                                     .folding = std::string(view_of(asked.folding)),
                                     .include = std::string(view_of(asked.include)),
                                     .exclude = std::string(view_of(asked.exclude)),
                                     .fold_percent = asked.fold_percent,
                                     .is_inverted = asked.inverted != 0,
                                     .focus = std::string(view_of(asked.focus))};
        about.kind = kind != nullptr ? kind : about.kind;
        about.nodes = asked.frames != 0 ? asked.frames : about.nodes;
        return explorer->explorer.flame(about, stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_lod(etl_explorer* explorer, const etl_question* question, etl_table** table,
                            etl_page* page, etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        explore::LodQuestion about{.selection = selection_of(asked),
                                   .kinds = list_of(asked.track_kinds, asked.track_kind_count)};
        about.columns = asked.columns != 0 ? asked.columns : about.columns;
        return explorer->explorer.lod(about, stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_events(etl_explorer* explorer, const etl_question* question,
                               etl_table** table, etl_page* page, etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        return explorer->explorer.events({selection_of(asked), page_of(asked)}, stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_search(etl_explorer* explorer, const char* text,
                               const etl_question* question, etl_table** table, etl_page* page,
                               etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        return explorer->explorer.search({.text = std::string(view_of(text)),
                                          .selection = selection_of(asked),
                                          .from_row = asked.first_row,
                                          .count = rows_of(asked)},
                                         stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_follow(etl_explorer* explorer, uint32_t input, uint32_t tid, const char* at,
                               const etl_question* question, etl_table** table, etl_page* page,
                               etl_error** error) {
    const auto ask = [&](const etl_question& asked, const Stop* stop) {
        return explorer->explorer.follow({.tid = tid,
                                          .at = std::string(view_of(at)),
                                          .input = input,
                                          .from = std::string(view_of(asked.from)),
                                          .to = std::string(view_of(asked.to))},
                                         stop);
    };
    return answer(explorer, question, table, page, error, ask);
}

etl_status etl_explorer_event(etl_explorer* explorer, uint32_t input, uint64_t buffer,
                              uint32_t offset, uint64_t number, etl_event_detail** detail,
                              etl_error** error) {
    return guarded(error, [&]() -> Outcome {
        *detail = nullptr;
        const Asking::Question under_way(*explorer->asking, number);
        auto found = explorer->explorer.event({.input = input, .buffer = buffer, .offset = offset},
                                              under_way.stop());
        if (!found) {
            return failed(found.error());
        }
        etl_table fields{std::move(found->fields)}, stack{std::move(found->stack)};
        *detail = new etl_event_detail{
            .detail = *std::move(found), .fields = std::move(fields), .stack = std::move(stack)};
        return ETL_OK;
    });
}

void etl_event_detail_free(etl_event_detail* detail) {
    delete detail;
}

etl_text etl_event_detail_json(const etl_event_detail* detail) {
    return text_of(detail->detail.json);
}

const etl_table* etl_event_detail_fields(const etl_event_detail* detail) {
    return &detail->fields;
}

const etl_table* etl_event_detail_stack(const etl_event_detail* detail) {
    return &detail->stack;
}

etl_bytes etl_event_detail_header(const etl_event_detail* detail) {
    return bytes_of(detail->detail.header);
}

etl_bytes etl_event_detail_payload(const etl_event_detail* detail) {
    return bytes_of(detail->detail.payload);
}

uint64_t etl_event_detail_file_offset(const etl_event_detail* detail) {
    return detail->detail.file_offset;
}

void etl_explorer_stop(etl_explorer* explorer, uint64_t number) {
    explorer->asking->stop(number);
}
