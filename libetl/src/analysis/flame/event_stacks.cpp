// Stacks of any events, and of allocations of .NET. docs/flame.md#stacks
#include <etl/facts/annotator.hpp>
#include <etl/facts/attributor.hpp>
#include <etl/format/known_guids.hpp>

#include "analysis/sampled_stacks.hpp"
#include "analysis/stack_sums.hpp"
#include "analysis/tables/makers.hpp"

#include <map>

namespace etl::analysis {

namespace {

constexpr std::uint16_t tick_event = 10, walk_event = 82;
constexpr std::uint32_t allocation_tag = 500;

/// Finds the process and the stack of an event, as `etl dump --enrich` shows them.
class EventStacks {
public:
    explicit EventStacks(const Context& context)
        : decoder_(*context.schemas), annotator_(context.all_facts),
          attributor_(context.all_facts, *context.schemas) {}

    struct Found {
        std::uint32_t process = flow::no_id;
        std::span<const std::uint64_t> addresses; // innermost first; valid until the next call
    };

    Found find(const flow::Event& event) {
        const decode::DecodedEvent& decoded = decoder_.decode(event);
        const std::uint32_t generation = decoder_.generation();
        return {attributor_.attribute(decoded, generation).process,
                annotator_.annotate(decoded, generation).stack};
    }

private:
    decode::Decoder decoder_;
    facts::Annotator annotator_;
    facts::Attributor attributor_;
};

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
        const EventStacks::Found found = events_->find(*record.event);
        const OwnerRef owner = context().owners->process(found.process, record.time);
        if ((*context().owners)[owner].is_selected) {
            const std::uint32_t process = (*context().owners)[owner].pid.value_or(0);
            stacks_.add(context(),
                        {.owner = owner,
                         .weight = 1,
                         .place = {.process = process,
                                   .time = record.time,
                                   .has_user_mode = process > system_process}},
                        found.addresses);
        }
    }

    Table finish() override { return stacks_.table(context(), {"events", sum_column("events")}); }

private:
    std::optional<EventStacks> events_;
    StackSums stacks_;
};

/// Bytes that .NET allocated between AllocationTick events, as `etl gc`. The stack is that of the
/// event, otherwise that of the ClrStackWalk event that follows it on its thread.
class AllocationStacks final : public Analyzer {
public:
    explicit AllocationStacks(bool has_process_ids) : stacks_(has_process_ids) {}

    void ask(Wishes& wishes) override {
        StackSums::ask(wishes);
        wishes.provider(format::dotnet_runtime_guid, allocation_tag, {});
    }

    void start(Context& context) override {
        Analyzer::start(context);
        events_.emplace(context);
    }

    void add(const Record& record) override {
        if (stacks_.take(record)) {
            return;
        }
        if (record.id == walk_event) {
            add_stack_walk(record);
            return;
        }
        add_pending(record.thread, {}); // a stack that follows is that of this event
        if (record.id == tick_event) {
            has_ticks_ = true;
            add_allocation(record);
        }
    }

    Table finish() override {
        for (const auto& [thread, pending] : pending_) {
            stacks_.add(context(), pending, std::span<const std::uint64_t>{});
        }
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
        const EventStacks::Found found = events_->find(*record.event);
        const StackSums::Entry entry{.owner = owner,
                                     .weight = bytes_of(record),
                                     .place = {.process = record.process,
                                               .thread = record.thread,
                                               .time = record.time,
                                               .has_user_mode = true}};
        if (!found.addresses.empty() || pending_.size() >= limits::analysis_operations) {
            stacks_.add(context(), entry, found.addresses);
        } else {
            pending_[record.thread] = entry;
        }
    }

    // ClrInstanceID u16, Reserved1, Reserved2 u8, FrameCount u32, Stack
    void add_stack_walk(const Record& record) {
        constexpr std::size_t count_at = 4, frames_at = 8;
        const auto count = number_at<std::uint32_t>(record.payload, count_at).value_or(0);
        std::vector<std::uint64_t> frames;
        for (std::size_t i = 0; i < std::min<std::size_t>(count, limits::analysis_full_stack);
             ++i) {
            const std::size_t at = frames_at + i * record.pointer_size;
            const auto frame = record.pointer_size == sizeof(std::uint64_t)
                                   ? number_at<std::uint64_t>(record.payload, at)
                                   : number_at<std::uint32_t>(record.payload, at);
            if (!frame) {
                break;
            }
            frames.push_back(*frame);
        }
        add_pending(record.thread, frames);
    }

    void add_pending(std::uint32_t thread, std::span<const std::uint64_t> frames) {
        if (const auto found = pending_.find(thread); found != pending_.end()) {
            stacks_.add(context(), found->second, frames);
            pending_.erase(found);
        }
    }

    std::optional<EventStacks> events_;
    StackSums stacks_;
    std::map<std::uint32_t, StackSums::Entry> pending_; // allocations by thread
    bool has_ticks_ = false;
};

} // namespace

std::unique_ptr<Analyzer> make_event_flame(bool of_allocations, const TableOptions& options) {
    return of_allocations ? std::unique_ptr<Analyzer>(
                                std::make_unique<AllocationStacks>(options.has_process_ids))
                          : std::make_unique<AnyEventStacks>(options.has_process_ids);
}

} // namespace etl::analysis
