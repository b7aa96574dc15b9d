#include "analysis/disk_operations.hpp"

#include "analysis/groups.hpp"
#include "analysis/owners.hpp"

#include <algorithm>

namespace etl::analysis {

namespace {

enum Field : unsigned { disk, size, file, elapsed, issuer, irp };

/// Returns the time at which an operation began, by its elapsed time.
std::int64_t begin_of(const Record& record) noexcept {
    const std::uint64_t all = record.number(elapsed);
    const auto now = static_cast<std::uint64_t>(record.time);
    return record.time < 0 || all > now ? 0 : static_cast<std::int64_t>(now - all);
}

} // namespace

void DiskOperations::subscribe(Subscriptions& subscriptions) {
    constexpr std::uint32_t tags[] = {read_tag, write_tag, flush_tag}; // by operation
    for (const auto& [hook, operation] : format::disk_hooks) {
        subscriptions.hook(hook, tags[static_cast<std::size_t>(operation)],
                           {"DiskNumber", "TransferSize", "FileObject", "HighResResponseTime",
                            "IssuingThreadId", "Irp"});
    }
    for (const auto& [id, operation] : format::disk_events) {
        subscriptions.provider(format::kernel_disk_guid, tags[static_cast<std::size_t>(operation)],
                               {id}, Use::values,
                               {"DiskNumber", "TransferSize", "FileObject", "HighResResponseTime",
                                "IssuingThreadId", "IORequestPacket"});
    }
    for (const std::uint16_t hook :
         std::initializer_list<std::uint16_t>{0x010C, 0x010D, 0x010F, 0x013A, 0x013B, 0x013C}) {
        subscriptions.hook(hook, init_tag, {"Irp"}, Use::context);
    }
}

void DiskOperations::start(Context& context) {
    context_ = &context;
    inits_.start(context);
}

DiskCompletion DiskOperations::completion_of(const Record& record) const {
    DiskCompletion one{.tag = record.tag,
                       .disk = record.number(disk),
                       .size = record.number(size),
                       .begin = begin_of(record),
                       .time = record.time,
                       .has_elapsed = record.has(elapsed),
                       .in_range = record.in_range,
                       .place = place_of(*record.event)};
    const std::uint32_t named = record.number32(issuer);
    if (record.has(issuer) && named != 0 && named != flow::no_id) {
        one.thread = named;
        one.owner = context_->owners->of_thread_id(named, record.time);
    }
    if (record.has(file)) {
        one.file = record.number(file);
    }
    return one;
}

/// The thread that a completion names counts.
void DiskOperations::take_over(DiskCompletion& completion, const Init& init) {
    completion.issued = init.time;
    completion.issued_by = init.thread;
    if (completion.thread == flow::no_id) {
        completion.thread = init.thread;
        completion.owner = init.owner;
    }
}

void DiskOperations::add_init(const Record& record) {
    if (record.thread != flow::no_id && record.has(0)) {
        const OwnerRef owner = context_->owners->of_thread_id(record.thread, record.time);
        inits_.begin(record.number(0), {record.thread, owner, record.time});
    }
}

std::optional<DiskCompletion> DiskOperations::take(const Record& record) {
    if (record.tag == init_tag) {
        add_init(record);
        return std::nullopt;
    }
    if (is_disk_repetition(record, *context_)) {
        return std::nullopt;
    }
    has_completions_ = true;
    has_times_ = has_times_ || record.has(elapsed);
    DiskCompletion one = completion_of(record);
    bool is_kept = false;
    const auto init = inits_.end(record.number(irp), [&] {
        is_kept = one.thread == flow::no_id;
        return is_kept ? std::uint64_t{kept_.size()} : no_part;
    });
    if (init) {
        take_over(one, *init);
    }
    if (last_.size() >= limits::analysis_operations) {
        last_.clear(); // more than there are disks
        ++dropped_;
    }
    const auto [previous, is_first] = last_.try_emplace(one.disk, one.time);
    const std::int64_t before = std::exchange(previous->second, one.time);
    one.previous = is_first ? std::nullopt : std::optional(before);
    const bool is_edge = is_first && context_->continues();
    if (!is_kept && !is_edge) {
        return one;
    }
    one.file_name = file_name(one);
    kept_.push_back({std::move(one), is_edge});
    return std::nullopt;
}

std::string_view DiskOperations::file_name(const DiskCompletion& one) const noexcept {
    return one.file && one.file_name.empty() ? context_->facts->file(*one.file, one.time)
                                             : std::string_view(one.file_name);
}

DiskOperations::Inits::Visitors DiskOperations::visitors() {
    return {.key = [](Archive& archive, std::uint64_t& irp) { archive.number(irp); },
            .begin =
                [this](Archive& archive, Init& init) {
                    archive.number(init.thread);
                    visit_owner(archive, *context_->owners, init.owner);
                    archive.number(init.time);
                },
            .end = [](Archive& archive, std::uint64_t& index) { archive.number(index); }};
}

void DiskOperations::visit(Archive& archive, std::vector<Kept>& kept) {
    archive.list(kept, [&](Kept& one) {
        DiskCompletion& completion = one.completion;
        archive.number(completion.tag);
        archive.number(completion.disk);
        archive.number(completion.size);
        archive.number(completion.begin);
        archive.number(completion.time);
        archive.number(completion.has_elapsed);
        archive.number(completion.in_range);
        archive.number(completion.thread);
        visit_owner(archive, *context_->owners, completion.owner);
        archive.optional(completion.previous);
        archive.text(completion.file_name);
        analysis::visit(archive, completion.place);
        archive.number(one.is_first);
    });
}

void DiskOperations::save(Archive& to) {
    visit(to, kept_);
    inits_.save(to, visitors());
    std::vector<std::pair<std::uint64_t, std::int64_t>> last(last_.begin(), last_.end());
    to.list(last, [&](auto& one) {
        to.number(one.first);
        to.number(one.second);
    });
}

void DiskOperations::stitch(Archive& from, FunctionRef<void(const DiskCompletion&)> show) {
    std::vector<Kept> kept;
    visit(from, kept);
    inits_.stitch(
        from, visitors(),
        [&](const Init& init, std::uint64_t index) {
            if (index < kept.size()) {
                take_over(kept[static_cast<std::size_t>(index)].completion, init);
            }
        },
        [](const Init& /*init*/) {});
    for (Kept& one : kept) {
        if (const auto last = last_.find(one.completion.disk);
            one.is_first && last != last_.end()) {
            one.completion.previous = last->second;
        }
        show(one.completion);
    }
    std::vector<std::pair<std::uint64_t, std::int64_t>> last;
    from.list(last, [&](auto& one) {
        from.number(one.first);
        from.number(one.second);
    });
    for (const auto& [disk, time] : last) {
        last_.insert_or_assign(disk, time);
    }
}

} // namespace etl::analysis
