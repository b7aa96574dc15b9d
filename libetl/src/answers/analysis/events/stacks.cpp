// etl stacks: which functions raised events. docs/analysis.md#stacks
#include "analysis/groups.hpp"
#include "analysis/names.hpp"
#include "analysis/table_list.hpp"
#include "facts/annotator.hpp"
#include "flow/context.hpp"
#include "format/records.hpp"

#include <algorithm>
#include <utility>

namespace etl::analysis {

namespace {

enum class StacksBy : std::uint8_t { function, call, event };

bool finds(const Regexes& regexes, std::string_view text) {
    return std::ranges::any_of(regexes, [&](const auto& regex) { return regex->finds(text); });
}

class Stacks final : public Analyzer {
public:
    Stacks(StacksBy by, const TableOptions& options) : by_(by), filter_(options.stacks) {}

    void subscribe(Subscriptions& subscriptions) override {
        subscriptions.everything_in_range();
        NamesCache::subscribe(subscriptions);
    }

    void start(Context& context) override {
        Analyzer::start(context);
        decoder_.emplace(*context.schemas);
        annotator_.emplace(context.all_facts);
    }

    void add(const Record& record) override {
        if (record.tag == NamesCache::image_tag) {
            names_.forget();
        } else if (record.in_range && may_have_stack(*record.event)) {
            add_event(*record.event);
        }
    }

    Table finish() override {
        std::vector<Column> columns{sum_column("events")};
        if (by_ == StacksBy::function) {
            columns.push_back(sum_column("inclusive_events"));
        }
        Table table = table_of("stacks", sums_, *context().owners, table_texts(), keys(), columns);
        table.sort_column = *table.find("events");
        std::ranges::for_each(table.rows, [](Row& row) { row.in_total = true; });
        if (by_ == StacksBy::function) {
            table.columns[table.sort_column + 1].total_of = table.sort_column;
        }
        if (!has_stacks_) {
            set_missing(table, "stacks", {"events", "inclusive_events"},
                        "xperf -stackwalk, or wpr -start CPU");
        }
        return table;
    }

private:
    enum Value : std::size_t { events, inclusive, values };

    /// What the events of one kind share.
    struct Kind {
        bool is_known = false, matches = false;
        GroupKey key{};
    };

    std::vector<KeyColumn> keys() const {
        switch (by_) {
        case StacksBy::call:
            return {{KeyPart::text, "caller"}, {KeyPart::text, "callee"}};
        case StacksBy::event:
            return {{KeyPart::text, "provider"}, {KeyPart::text, "event"}};
        case StacksBy::function:
            break;
        }
        return {{KeyPart::text, "module"}, {KeyPart::text, "function"}};
    }

    const Texts& table_texts() const { return by_ == StacksBy::function ? names_.texts() : texts_; }

    /// Kernel events have stacks of their time; only others can contain one.
    bool may_have_stack(const flow::Event& event) const {
        return !format::has_hook(event.kind) || !context().facts->stacks(event.raw_time).empty();
    }

    void add_event(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_->decode(event);
        const facts::Notes& notes = annotator_->find_stack(decoded, decoder_->generation());
        if (notes.stack.empty() ||
            (format::has_hook(event.kind) && !is_first_of(notes.thread_id, event.raw_time))) {
            return;
        }
        has_stacks_ = true;
        const Kind& kind = kind_of(decoded);
        if (!kind.matches || !is_of_wanted_thread(notes, event.raw_time)) {
            return;
        }
        name_frames(notes, event.raw_time);
        if (!filter_.functions.empty() && !has_wanted_function()) {
            return;
        }
        ++event_;
        count(kind);
    }

    /// Stack records of the kernel belong to the first event of their time and thread.
    bool is_first_of(std::uint32_t thread, std::int64_t time) {
        if (time != time_) {
            time_ = time;
            seen_threads_.clear();
        }
        if (std::ranges::find(seen_threads_, thread) != seen_threads_.end()) {
            return false;
        }
        if (seen_threads_.size() < limits::analysis_stack_parts) {
            seen_threads_.push_back(thread);
        }
        return true;
    }

    const Kind& kind_of(const decode::DecodedEvent& decoded) {
        if (generation_ != decoder_->generation()) {
            generation_ = decoder_->generation();
            kinds_.clear();
        }
        const std::uint32_t number = decoded.kind->number;
        if (number >= kinds_.size()) {
            kinds_.resize(std::max<std::size_t>(number + std::size_t{1}, kinds_.size() * 2));
        }
        Kind& kind = kinds_[number];
        if (!kind.is_known) {
            kind = new_kind(decoded);
        }
        return kind;
    }

    Kind new_kind(const decode::DecodedEvent& decoded) {
        const std::string provider = decoded.kind->provider && !decoded.kind->provider->empty()
                                         ? *decoded.kind->provider
                                         : to_string(decoded.header.provider);
        const std::string name = decoded.kind->event.value_or("");
        Kind kind{.is_known = true};
        kind.key = {texts_.number_of(provider), name.empty() ? 0 : texts_.number_of(name), 0};
        const auto hook = flow::kernel_hook_of(*decoded.event);
        kind.matches = (filter_.events.empty() && filter_.hooks.empty()) ||
                       (hook && std::ranges::find(filter_.hooks, *hook) != filter_.hooks.end()) ||
                       finds(filter_.events, provider + '/' + name);
        return kind;
    }

    bool is_of_wanted_thread(const facts::Notes& notes, std::int64_t time) {
        if (!filter_.threads.empty() &&
            std::ranges::find(filter_.threads, notes.thread_id) == filter_.threads.end()) {
            return false;
        }
        Owners& owners = *context().owners;
        if (filter_.processes.empty() && !owners.is_selective()) {
            return true;
        }
        const OwnerRef owner = notes.process_id == flow::no_id
                                   ? Owners::unknown
                                   : owners.process(notes.process_id, time);
        return (!owners.is_selective() || owners[owner].is_selected) && has_wanted_name(owner);
    }

    bool has_wanted_name(OwnerRef owner) {
        if (filter_.processes.empty()) {
            return true;
        }
        const auto [known, is_new] = owners_.try_emplace(owner, false);
        if (is_new) {
            const auto& name = (*context().owners)[owner].name;
            known->second = name && finds(filter_.processes, *name);
        }
        return known->second;
    }

    /// Innermost first.
    void name_frames(const facts::Notes& notes, std::int64_t time) {
        frames_.clear();
        bool is_return_address = !notes.is_interrupt;
        for (const std::uint64_t address : notes.stack) {
            frames_.push_back(names_.name(
                context(), {.process = notes.stack_process_id,
                            .address = address,
                            .time = time,
                            .is_return_address = std::exchange(is_return_address, true)}));
        }
    }

    bool has_wanted_function() {
        return std::ranges::any_of(frames_, [this](const NamesCache::Name& frame) {
            const std::uint64_t number = full_name(frame);
            const auto [known, is_new] = functions_.try_emplace(number, false);
            if (is_new) {
                const Cell text = texts_.cell(number);
                const auto* const name = std::get_if<std::string>(&text);
                known->second = name != nullptr && finds(filter_.functions, *name);
            }
            return known->second;
        });
    }

    std::uint64_t full_name(const NamesCache::Name& frame) {
        return full_names_.number_of(frame, names_.texts(), texts_);
    }

    void count(const Kind& kind) {
        switch (by_) {
        case StacksBy::function:
            ++*sums_.find({frames_.front().module, frames_.front().function, 0});
            for (const NamesCache::Name& frame : frames_) {
                count_once({frame.module, frame.function, 0}, inclusive);
            }
            break;
        case StacksBy::call:
            for (std::size_t i = 1; i < frames_.size(); ++i) {
                count_once({full_name(frames_[i]), full_name(frames_[i - 1]), 0}, events);
            }
            break;
        case StacksBy::event:
            ++*sums_.find(kind.key);
            break;
        }
    }

    /// Counts once for each event.
    void count_once(const GroupKey& key, Value value) {
        if (std::exchange(*last_event_.find(key), event_) != event_) {
            ++sums_.find(key)[value];
        }
    }

    StacksBy by_;
    StackFilter filter_;
    std::optional<decode::Decoder> decoder_;
    std::optional<facts::Annotator> annotator_;
    NamesCache names_;
    FullNames full_names_;
    Texts texts_; // of full names, providers, and events
    std::vector<Kind> kinds_;
    std::uint32_t generation_ = 0;
    std::vector<NamesCache::Name> frames_;                  // of the event
    std::unordered_map<OwnerRef, bool> owners_;             // whether the name matches
    std::unordered_map<std::uint64_t, bool> functions_;     // likewise, by full name
    Groups sums_{by_ == StacksBy::function ? values : 1UL}; // exclusive, and inclusive
    Groups last_event_{1};
    std::uint64_t event_ = 0;
    std::int64_t time_ = 0;                   // of the latest stack
    std::vector<std::uint32_t> seen_threads_; // whose stacks at that time were counted
    bool has_stacks_ = false;
};

constexpr auto stacks_forms = forms_of(stacks_table, {
                                                         {.by = "function",
                                                          .needs = TableNeeds::facts_and_schemas,
                                                          .make = make<Stacks, StacksBy::function>,
                                                          .parts = PartsOf::added},
                                                         {.by = "call",
                                                          .needs = TableNeeds::facts_and_schemas,
                                                          .make = make<Stacks, StacksBy::call>,
                                                          .parts = PartsOf::added},
                                                         {.by = "event",
                                                          .needs = TableNeeds::facts_and_schemas,
                                                          .make = make<Stacks, StacksBy::event>,
                                                          .parts = PartsOf::added},
                                                     });

} // namespace

constinit const TableKind stacks_table{
    .name = "stacks",
    .summary = "Print which functions raised events, by the stacks of the events",
    .question = "Which functions raised events?",
    .examples = R"(  etl stacks --symbols srv*symbols trace.etl
  etl stacks --where 'event == Thread/CSwitch' --process kettle trace.etl
  etl stacks --by event trace.etl)",
    .options = {TableOption::symbols},
    .forms = stacks_forms,
};

} // namespace etl::analysis
