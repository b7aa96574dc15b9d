#include "relog/split.hpp"

#include "relog/split_plan.hpp"
#include "trace/recording.hpp"

#include <algorithm>
#include <utility>

namespace etl::relog {

namespace {

constexpr const char* directive = "%d";

Result<void> check(const std::string& pattern, const SplitOptions& options) {
    const std::size_t at = pattern.find(directive);
    if (at == std::string::npos || pattern.find('%') != at ||
        pattern.find('%', at + 1) != std::string::npos) {
        return fail(ErrorCode::invalid_option,
                    "the path of parts requires one `%d` and no other `%`");
    }
    const bool needs_limit =
        options.by == SplitBy::size || options.by == SplitBy::time || options.by == SplitBy::count;
    if (needs_limit && options.limit == 0) {
        return fail(ErrorCode::invalid_option, "parts by size, time, or count require a limit");
    }
    if (options.writer.file.mode != trace::FileMode::sequential) {
        return fail(ErrorCode::invalid_option, "parts must be sequential files");
    }
    return {};
}

std::string numbered(std::string pattern, std::size_t number) {
    return pattern.replace(pattern.find(directive), 2, std::to_string(number));
}

/// One pass: writes the parts of a group.
class Pass {
public:
    /// `counted`: how many parts the first pass found.
    Pass(const SplitOptions& options, std::span<const PlannedPart> group, std::span<Part> parts,
         std::size_t counted)
        : options_(options), assigner_(options), counted_(counted) {
        slots_.reserve(group.size());
        for (const PlannedPart& plan : group) {
            by_assigned_.emplace(plan.assigned, slots_.size());
            slots_.push_back({.plan = &plan, .part = &parts[plan.number]});
        }
    }

    Result<void> run(flow::Source& source, Progress progress) {
        if (options_.context == SplitContext::copied) {
            for (Slot& slot : slots_) {
                if (auto opened = open(slot); !opened) {
                    return opened;
                }
            }
        }
        for (flow::Run run = source.next_run(); !run.empty(); run = source.next_run()) {
            if (auto added = add(run); !added) {
                return added;
            }
            if (auto goes_on = progress.add(run); !goes_on) {
                return goes_on;
            }
        }
        if (const Error* const error = source.error()) {
            return std::unexpected(*error);
        }
        for (Slot& slot : slots_) {
            if (slot.given != slot.plan->events) {
                return changed();
            }
            if (auto closed = close(slot); !closed) {
                return closed;
            }
        }
        return {};
    }

private:
    struct Slot {
        const PlannedPart* plan = nullptr;
        Part* part = nullptr;
        std::unique_ptr<trace::Writer> writer; // null: not open yet, or done
        std::uint64_t given = 0;               // events of its own
        bool done = false;
    };

    Result<void> add(flow::Run run) {
        while (!run.empty()) {
            const std::uint32_t part = next_ ? *std::exchange(next_, {}) : assigner_.assign(run[0]);
            std::size_t count = 1;
            for (; count < run.size(); ++count) {
                next_ = assigner_.assign(run[count]);
                if (*next_ != part) {
                    break;
                }
                next_.reset();
            }
            if (auto given = give(part, run.first(count)); !given) {
                return given;
            }
            run = run.subspan(count);
        }
        return {};
    }

    Result<void> give(std::uint32_t part, flow::Run events) {
        const bool is_context = part == PartAssigner::every_part;
        if (is_context && options_.context == SplitContext::copied) {
            for (Slot& slot : slots_) {
                if (slot.writer) {
                    slot.part->context += written(*slot.writer, events);
                }
            }
            return {};
        }
        const auto found = by_assigned_.find(part);
        if (part == PartAssigner::no_part) {
            return {};
        }
        if (found == by_assigned_.end()) {
            return is_context || part < counted_ ? Result<void>{} : changed(); // of another group
        }
        Slot& slot = slots_[found->second];
        if (slot.done) { // opened again, its file would be emptied
            return changed();
        }
        if (auto opened = slot.writer ? Result<void>{} : open(slot); !opened) {
            return opened;
        }
        (is_context ? slot.part->context : slot.part->events) += written(*slot.writer, events);
        slot.given += events.size();
        const bool is_done =
            options_.context != SplitContext::copied && slot.given >= slot.plan->events;
        return is_done ? close(slot) : Result<void>{};
    }

    Result<void> open(Slot& slot) {
        trace::WriterOptions writer = options_.writer;
        writer.file.buffer_size = slot.plan->buffer_size;
        writer.file.threads = slots_.size() == 1 ? writer.file.threads : 1;
        if (writer.recording) {
            writer.recording->header.end_time = 0; // that of the newest event
            if (slot.plan->number != 0) {
                writer.recording->header.events_lost = 0;
                writer.recording->header.buffers_lost = 0;
            }
        }
        auto made = trace::Writer::create(slot.part->path, std::move(writer));
        if (!made) {
            return std::unexpected(made.error());
        }
        slot.writer = std::move(*made);
        return {};
    }

    static std::unexpected<Error> changed() {
        return fail(ErrorCode::malformed, "the input changed between two passes");
    }

    /// How many of them got into a buffer.
    static std::uint64_t written(trace::Writer& writer, flow::Run events) {
        const std::uint64_t before = writer.events_written();
        writer.add(events);
        return writer.events_written() - before;
    }

    static Result<void> close(Slot& slot) {
        if (!slot.writer) {
            return {};
        }
        slot.done = true;
        const auto writer = std::move(slot.writer);
        const auto closed = writer->close();
        if (const auto& failure = writer->status().failure) {
            return std::unexpected(failure->error);
        }
        slot.part->lost = writer->events_lost();
        slot.part->bytes = writer->status().bytes_written;
        return closed;
    }

    const SplitOptions& options_;
    PartAssigner assigner_;
    std::size_t counted_;
    std::vector<Slot> slots_;
    std::unordered_map<std::uint32_t, std::size_t> by_assigned_; // place in slots_
    std::optional<std::uint32_t> next_; // what was said of the next event already
};

/// The parts in the order of their numbers, not yet written.
std::vector<Part> named(const std::string& pattern, std::span<const PlannedPart> plans) {
    std::vector<Part> parts;
    const bool has_shared = !plans.empty() && plans.front().assigned == PartAssigner::every_part;
    for (const PlannedPart& plan : plans) {
        const bool needs_shared = has_shared && !parts.empty();
        parts.push_back({.path = numbered(pattern, parts.size() + (has_shared ? 0 : 1)),
                         .key = plan.key,
                         .context_path = needs_shared ? parts.front().path : std::string(),
                         .own_record_bytes = plan.own_bytes,
                         .context_record_bytes = plan.context_bytes});
    }
    return parts;
}

std::vector<std::vector<PlannedPart>> grouped(std::vector<PlannedPart> plans) {
    std::vector<std::vector<PlannedPart>> groups;
    while (!plans.empty()) {
        groups.push_back(take_group(plans));
    }
    return groups;
}

} // namespace

Result<std::vector<Part>> split(const OpenSource& open, const std::string& pattern,
                                const SplitOptions& options) {
    if (auto checked = check(pattern, options); !checked) {
        return std::unexpected(checked.error());
    }
    const auto pass_over = [&](auto&& visit) -> Result<void> {
        const auto source = open();
        return source ? visit(**source) : std::unexpected(source.error());
    };
    SplitPlan plan(options);
    const auto count = [&](flow::Source& source) { return plan.count(source); };
    if (auto counted = pass_over(count); !counted) {
        return std::unexpected(counted.error());
    }
    if (options.planned) {
        options.planned(plan.forecast());
    }
    SplitOptions writing = options;
    if (plan.has_unknown_losses()) {
        auto& recording = writing.writer.recording;
        if (!recording) {
            recording = trace::begin_recording(now());
        }
        trace::record_unknown_losses(*recording);
    }
    const std::vector<PlannedPart> plans = plan.parts();
    std::vector<Part> parts = named(pattern, plans);
    const auto groups = grouped(plans);
    const auto passes = static_cast<unsigned>(groups.size() + 1);
    for (unsigned i = 0; i < groups.size(); ++i) {
        Pass pass(writing, groups[i], parts, plan.counted());
        const auto write = [&](flow::Source& source) {
            return pass.run(source, Progress(options, i + 2, passes));
        };
        if (auto written = pass_over(write); !written) {
            return std::unexpected(written.error());
        }
    }
    return parts;
}

} // namespace etl::relog
