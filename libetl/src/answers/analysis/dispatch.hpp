// From events to the analyzers that asked for them. Private to analysis.
#pragma once

#include "analysis/analyzer.hpp"
#include "analysis/prepared_events.hpp"
#include "analysis/table.hpp"
#include "format/known_guids.hpp"
#include "format/records.hpp"
#include "match/matcher.hpp"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace etl::analysis {

// Places of fields in payloads, found once per layout.

/// Returns the places of fields in the payloads of a kind of event, as Layouts::places().
std::vector<FieldPlace> places_of(const decode::EventKind& kind,
                                  const std::vector<std::string_view>& wanted);

/// The layouts of the events of one hook, or of one ID of a provider.
class Layouts {
public:
    /// How well the schemas describe the version of an event.
    enum class Fit : std::uint8_t { described, older, unknown };

    explicit Layouts(std::vector<std::string_view> fields) : fields_(std::move(fields)) {}

    /// Returns the places of the fields in the payload of an event: those before a field of
    /// variable size, and that field itself. Decodes only the first event of a layout, and those of
    /// versions that are not described. `record` must have the header of the event.
    const FieldPlace* places(const Record& record, decode::Decoder& decoder) {
        if (last_ == nullptr || !last_->is_of(record)) [[unlikely]] {
            last_ = &find(record, decoder);
        }
        return last_->places.data();
    }

    /// Returns whether the fields of the event whose places were returned last can be read. Without
    /// it, the values that a short payload lacks would be 0.
    bool can_read(const Record& record) const noexcept {
        return last_->fit != Fit::unknown && record.payload.size() >= last_->least_size;
    }

    /// Returns whether that event can be read, with the layout of its own version.
    bool describes(const Record& record) const noexcept {
        return last_->fit == Fit::described && can_read(record);
    }

    /// The names of the fields.
    const std::vector<std::string_view>& fields() const noexcept { return fields_; }

    /// Returns how the event whose places were returned last is described.
    Fit fit() const noexcept { return last_->fit; }

    /// Returns the version of the layout of that event. Valid for Fit::older.
    std::uint8_t layout_version() const noexcept { return last_->layout_version; }

    /// Returns the pointer size of the payload of the event whose places were returned last; that
    /// of its header can be wrong.
    std::uint8_t pointer_size() const noexcept { return last_->payload_pointer_size; }

private:
    struct Layout {
        std::uint8_t version = 0, pointer_size = 0; // of the header; 0: of one event
        std::uint8_t payload_pointer_size = 0;
        std::vector<FieldPlace> places;
        std::size_t least_size = 0; // of a payload that has all fields of `places`
        Fit fit = Fit::described;
        std::uint8_t layout_version = 0;
        std::optional<std::size_t> size; // of the payload, if another one may be of another layout

        bool is_of(const Record& record) const noexcept {
            return version == record.version && pointer_size == record.pointer_size &&
                   (!size || *size == record.payload.size());
        }
    };

    const Layout& find(const Record& record, decode::Decoder& decoder);

    std::vector<std::string_view> fields_;
    std::vector<std::unique_ptr<Layout>> layouts_; // by version, pointer size, size of the payload
    std::unique_ptr<Layout> passing_;              // of one event, or null
    const Layout* last_ = nullptr;
};

/// The events of one pass, for the analyzers of one or more tables. What several of them ask about
/// an event is read once; what is said of the events is kept by table.
class Dispatch {
public:
    /// `facts` may be null: EventSums::about is then not known.
    Dispatch(Owners& owners, const schema::SchemasByTrace& schemas, unsigned pointer_size,
             std::shared_ptr<const facts::FactsByTrace> facts);

    /// Adds the next table, before the first event.
    void add_table(Analyzer& analyzer, const Subscriptions& subscriptions);

    /// Later events must match to be passed on, except those of context.
    void set_condition(std::optional<match::Matcher> condition) {
        condition_ = std::move(condition);
    }

    /// Whether an event with this code does anything in pass_rest() of a batch of which no table
    /// wants each event.
    bool takes(PreparedEvents::Code code) const noexcept {
        const bool is_hook = code <= 0xFFFF;
        return is_hook
                   ? lists_[code] != 0
                   : code != PreparedEvents::event_code || wants_described_ || !providers_.empty();
    }

    /// What sums are by that analyzers ask for, if they can be known.
    std::vector<SumsBy> wanted_sums() const;

    /// `about` is EventSums::about, if that is known already.
    void pass(const flow::Event& event, bool in_range,
              std::optional<std::uint32_t> about = std::nullopt) {
        pass_asked(event, in_range);
        for (Table& table : tables_) {
            if (table.wants(in_range)) {
                pass_everything(table, event, in_range, about);
            }
        }
    }

    /// Passes what all events of a batch have to say to analyzers that want everything: then,
    /// pass_rest() follows for those that it takes(). `are_ascending`: no event is earlier than the
    /// one before it. False: pass_rest() follows for all events.
    bool pass_together(const PreparedEvents& prepared, bool in_range, bool are_ascending);

    void pass_rest(const flow::Event& event, bool in_range,
                   std::optional<std::uint32_t> about = std::nullopt) {
        pass_asked(event, in_range);
        for (Table& table : tables_) {
            if (table.rest == Rest::each ||
                (table.rest == Rest::described && format::is_event(event.kind))) {
                pass_everything(table, event, in_range, about);
            }
        }
    }

    /// Events of versions that the schemas do not describe, and those that are too short for
    /// theirs. Tables have the numbers 0 to N-1.
    std::vector<OtherVersion> other_versions(std::size_t table) const;

    /// Events in range that were passed on as values.
    std::uint64_t used(std::size_t table) const noexcept;

private:
    /// Which events of a batch pass_everything() has yet to see.
    enum class Rest : std::uint8_t { each, described, nothing };

    /// By class of the hook, or by provider, and by version and layout.
    struct OtherVersions {
        std::optional<Guid> provider{};
        Guid event_class{};
        std::uint8_t version = 0;
        std::optional<std::uint8_t> layout{};
        bool is_short = false;
        std::uint64_t events = 0;
        std::string name{};
    };

    struct Table {
        Analyzer* analyzer = nullptr;
        bool wants_everything = false, in_range_only = false, described_only = false;
        std::optional<SumsBy> sums;
        Rest rest = Rest::each;
        std::uint64_t used = 0;            // of everything
        std::vector<OtherVersions> others; // few: groups, providers, and versions

        /// Of events in range, or others.
        bool wants(bool in_range) const noexcept {
            return wants_everything && (in_range || !in_range_only);
        }
    };

    /// Who takes an event with one tag, and the tables that asked for it: several, if it is shared.
    struct Recipient {
        Receiver* receiver = nullptr;
        std::uint32_t tag = 0;
        std::vector<std::size_t> tables;
    };

    /// Those who take events for one use, with the same fields.
    struct Recipients {
        Use use = Use::values;
        std::vector<Recipient> all;
        std::uint64_t used = 0; // events in range

        void add(const Recipient& added);
        void give(Record& record);

        bool has(std::size_t table) const noexcept { return count(table) != 0; }

        /// How often a table asked.
        std::uint64_t count(std::size_t table) const noexcept;
    };

    /// What the owners take.
    enum class OwnerEvents : std::uint8_t { none, threads, processes };

    /// Of one hook.
    struct Taker {
        OwnerEvents of_owners = OwnerEvents::none; // or `to`
        Recipients to;
        Layouts layouts;
    };

    struct ProviderTaker {
        Guid guid;
        std::vector<std::uint16_t> ids; // empty: all
        std::vector<std::string_view> fields;
        Recipients to;
        std::map<std::uint16_t, Layouts> layouts{}; // by ID; empty without fields

        bool takes(std::uint16_t id) const noexcept {
            return ids.empty() || std::ranges::find(ids, id) != ids.end();
        }
    };

    /// What analyzers asked for by kind.
    void pass_asked(const flow::Event& event, bool in_range) {
        verdict_.reset();
        if (format::has_hook(event.kind)) {
            if (const std::uint16_t list = list_of(event); list != 0) {
                pass_hook(event, list, in_range);
            }
        } else if (format::is_event(event.kind)) {
            if (PreparedEvents::is_kernel_process(event) || !providers_.empty()) {
                pass_event(event, in_range);
            }
        } else if (format::is_full(event.kind)) {
            pass_full(event, in_range);
        }
    }

    std::uint16_t list_of(const flow::Event& event) const noexcept {
        return lists_[flow::stored<PreparedEvents::hook>(event)];
    }

    std::vector<Taker>& takers_of(std::uint16_t hook);
    void add_hook(const Subscriptions::Hook& hook, const Recipient& recipient);
    void add_provider(const Subscriptions::Provider& provider, const Recipient& recipient);
    SharedReceiver* leader_of(SharedReceiver* shared);
    void pass_hook(const flow::Event& event, std::uint16_t list, bool in_range);
    void pass_full(const flow::Event& event, bool in_range);
    void pass_event(const flow::Event& event, bool in_range);
    void pass_to(ProviderTaker& taker, const flow::Event& event, bool in_range);
    void pass_everything(Table& table, const flow::Event& event, bool in_range,
                         std::optional<std::uint32_t> about);
    Rest pass_together(Table& table, const PreparedEvents& prepared, bool in_range,
                       bool are_ascending);
    bool can_sum(const Table& table) const noexcept;
    bool give(Taker& taker, Record& record);
    void give_all(std::uint16_t list, std::uint16_t hook, Record& record);
    void tell_owners(OwnerEvents what, const Record& record);
    void count_other_versions(const std::vector<Taker>& takers, std::uint16_t hook,
                              const Record& record);
    void count_other_version(std::size_t table, OtherVersions wanted, const Record& record,
                             const Layouts& layouts);
    std::uint16_t list_of_full(const flow::Event& event) const noexcept;

    /// Asks once, however many take the event.
    bool matches(const flow::Event& event) {
        if (!condition_) {
            return true;
        }
        if (!verdict_) {
            verdict_ = (*condition_)(event);
        }
        return *verdict_;
    }

    bool is_taken(Use use, const flow::Event& event) {
        return use == Use::context || matches(event);
    }

    Owners* owners_;
    schema::SchemasByTrace schemas_;
    std::shared_ptr<const facts::FactsByTrace> facts_;
    decode::Decoder decoder_;
    std::optional<match::Matcher> condition_;
    std::optional<bool> verdict_;               // of the condition, on the event at hand
    std::array<std::uint8_t, 0x10000> lists_{}; // by hook: index in takers_ + 1
    std::vector<std::vector<Taker>> takers_;
    std::vector<ProviderTaker> providers_;
    std::vector<Table> tables_;
    std::vector<SharedReceiver*> leaders_;        // those that receive, of the shared ones
    bool wants_described_ = false;                // a table
    std::optional<facts::Attributor> attributor_; // none: EventSums::about is not asked for
};

} // namespace etl::analysis
