// Stacks of any events, and of allocations of .NET. docs/flame.md#stacks
#include "analysis/sampled_stacks.hpp"
#include "analysis/stack_sums.hpp"
#include "analysis/tables/makers.hpp"
#include "facts/annotator.hpp"
#include "format/known_guids.hpp"

namespace etl::analysis {

namespace {

constexpr std::uint16_t tick_event = 10;
constexpr std::uint32_t allocation_tag = 500;

/// Finds the process and the stack of an event, as `etl dump --enrich` shows them.
class EventStacks {
public:
    explicit EventStacks(const Context& context)
        : decoder_(*context.schemas), annotator_(context.all_facts) {}

    /// Valid until the next call.
    const facts::Notes& find(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        return annotator_.find_stack(decoded, decoder_.generation());
    }

private:
    decode::Decoder decoder_;
    facts::Annotator annotator_;
};

/// The process whose code the frames of a stack are.
std::uint32_t process_of_frames(const facts::Notes& notes) noexcept {
    return notes.stack_process_id != flow::no_id ? notes.stack_process_id : 0;
}

/// The address that a sample interrupted is its first field.
std::optional<std::uint64_t> sampled_address(const flow::Event& event) {
    const flow::EventHeader header = flow::read_header(event);
    if (!has_range(header.payload, 0, header.pointer_size)) {
        return std::nullopt;
    }
    return header.pointer_size == 4 ? load_le<std::uint32_t>(header.payload.data())
                                    : load_le<std::uint64_t>(header.payload.data());
}

/// Counts events that match the filters, as `etl stats`.
class AnyEventStacks final : public Analyzer {
public:
    explicit AnyEventStacks(bool has_process_ids) : stacks_(has_process_ids) {}

    void ask(Wishes& wishes) override {
        StackSums::ask(wishes);
        wishes.everything();
    }

    void start(Context& context) override {
        Analyzer::start(context);
        events_.emplace(context);
    }

    void add(const Record& record) override {
        if (stacks_.take(record) || !record.in_range) {
            return;
        }
        const facts::Notes& found = events_->find(*record.event);
        const OwnerRef owner = context().owners->process(found.process_id, record.time);
        if ((*context().owners)[owner].is_selected) {
            const std::uint32_t process = process_of_frames(found);
            stacks_.add(context(),
                        {.owner = owner,
                         .weight = 1,
                         .place = {.process = process,
                                   .time = record.time,
                                   .sampled = found.is_interrupt ? sampled_address(*record.event)
                                                                 : std::nullopt,
                                   .has_user_mode = process > system_process}},
                        found.stack);
        }
    }

    Table finish() override { return stacks_.table(context(), {"events", sum_column("events")}); }

private:
    std::optional<EventStacks> events_;
    StackSums stacks_;
};

/// Bytes that .NET allocated between AllocationTick events, as `etl gc`.
class AllocationStacks final : public Analyzer {
public:
    explicit AllocationStacks(bool has_process_ids) : stacks_(has_process_ids) {}

    void ask(Wishes& wishes) override {
        StackSums::ask(wishes);
        wishes.provider(format::dotnet_runtime_guid, allocation_tag, {tick_event});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        events_.emplace(context);
    }

    void add(const Record& record) override {
        if (!stacks_.take(record)) {
            has_ticks_ = true;
            add_allocation(record);
        }
    }

    Table finish() override {
        Table table =
            stacks_.table(context(), {"allocations", sum_column("allocated_bytes", Unit::bytes)});
        if (!has_ticks_) {
            set_missing(table, "allocation ticks", {"allocations", "allocated_bytes"},
                        "Microsoft-Windows-DotNETRuntime, keyword 0x1 (GC), level verbose");
        }
        return table;
    }

private:
    template <typename T>
    static std::optional<std::uint64_t> number_at(Bytes payload, std::size_t offset) noexcept {
        return has_range(payload, offset, sizeof(T))
                   ? std::optional<std::uint64_t>(load_le<T>(payload.data() + offset))
                   : std::nullopt;
    }

    // v0: AllocationAmount, AllocationKind u32; v1: ClrInstanceID u16; v2: AllocationAmount64 u64
    static std::uint64_t bytes_of(const Record& record) noexcept {
        const auto wide =
            record.version >= 2 ? number_at<std::uint64_t>(record.payload, 10) : std::nullopt;
        return wide ? *wide : number_at<std::uint32_t>(record.payload, 0).value_or(0);
    }

    void add_allocation(const Record& record) {
        const OwnerRef owner = context().owners->process_now(record.process, record.time);
        if (!record.in_range || !(*context().owners)[owner].is_selected) {
            return;
        }
        const facts::Notes& found = events_->find(*record.event);
        stacks_.add(context(),
                    {.owner = owner,
                     .weight = bytes_of(record),
                     .place = {.process = record.process,
                               .thread = record.thread,
                               .time = record.time,
                               .has_user_mode = true}},
                    found.stack);
    }

    std::optional<EventStacks> events_;
    StackSums stacks_;
    bool has_ticks_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_event_flame(bool of_allocations, const TableOptions& options) {
    return of_allocations ? std::unique_ptr<Analyzer>(
                                std::make_unique<AllocationStacks>(options.has_process_ids))
                          : std::make_unique<AnyEventStacks>(options.has_process_ids);
}

} // namespace etl::analysis
