#include "analysis/activity/kernel_slices.hpp"

#include "analysis/analyzer.hpp"
#include "analysis/disk_operations.hpp"
#include "base/text.hpp"
#include "format/known_guids.hpp"

#include <algorithm>
#include <array>

namespace etl::analysis {

namespace {

using Kind = IoRecord::Kind;

constexpr std::uint32_t first_io_tag = 450; // and one for each of io_hooks

struct IoHook {
    std::uint16_t id;
    Kind kind;
};

constexpr IoHook io_hooks[] = {
    {0x0440, Kind::create},     {0x0441, Kind::simple},     {0x0442, Kind::simple},
    {0x0443, Kind::read_write}, {0x0444, Kind::read_write}, {0x0445, Kind::info},
    {0x0446, Kind::info},       {0x0447, Kind::info},       {0x0448, Kind::directory},
    {0x0449, Kind::simple},     {0x044A, Kind::info},       {0x044B, Kind::info},
    {0x044C, Kind::end},        {0x044D, Kind::directory},  {0x044F, Kind::path},
    {0x0450, Kind::path},       {0x0451, Kind::path},       {0x010A, Kind::disk},
    {0x010B, Kind::disk}};

/// Asks for the fields of a kind, in the order of IoRecord::Kind.
void ask_for(Subscriptions& subscriptions, const IoHook& hook, std::uint32_t tag) {
    const auto subscribe = [&](std::initializer_list<std::string_view> fields) {
        subscriptions.hook(hook.id, tag, fields);
    };
    switch (hook.kind) {
    case Kind::create:
        return subscribe({"IrpPtr", "FileObject", "TTID", "CreateOptions", "FileAttributes",
                          "ShareAccess", "OpenPath"});
    case Kind::directory:
        return subscribe({"IrpPtr", "FileObject", "FileKey", "TTID", "Length", "InfoClass",
                          "FileIndex", "FileName"});
    case Kind::info:
        return subscribe({"IrpPtr", "FileObject", "FileKey", "ExtraInfo", "TTID", "InfoClass"});
    case Kind::read_write:
        return subscribe(
            {"Offset", "IrpPtr", "FileObject", "FileKey", "TTID", "IoSize", "IoFlags"});
    case Kind::simple:
        return subscribe({"IrpPtr", "FileObject", "FileKey", "TTID"});
    case Kind::end:
        return subscribe({"IrpPtr", "ExtraInfo", "NtStatus"});
    case Kind::path:
        return subscribe(
            {"IrpPtr", "FileObject", "FileKey", "ExtraInfo", "TTID", "InfoClass", "FileName"});
    case Kind::disk:
        return subscribe({"DiskNumber", "IrpFlags", "TransferSize", "ByteOffset", "FileObject",
                          "Irp", "HighResResponseTime", "IssuingThreadId"});
    }
}

} // namespace

void IoRecords::subscribe(Subscriptions& subscriptions) {
    std::uint32_t tag = first_io_tag;
    for (const IoHook& hook : io_hooks) {
        ask_for(subscriptions, hook, tag++);
    }
}

bool IoRecords::takes(std::uint32_t tag) noexcept {
    return tag >= first_io_tag && tag < first_io_tag + std::size(io_hooks);
}

void IoRecords::add(const Context& context, const Record& record) {
    if (!record.in_range || context.owners->is_selective()) {
        return;
    }
    const IoHook& hook = io_hooks[record.tag - first_io_tag];
    const std::size_t count = IoRecord::numbers_of(hook.kind);
    std::array<std::uint64_t, IoRecord::max_numbers> numbers{};
    for (unsigned i = 0; i < count; ++i) {
        numbers[i] = record.number(i);
    }
    std::string text;
    if (IoRecord::has_text(hook.kind)) {
        text = terminated_utf16(record.rest(static_cast<unsigned>(count)));
    }
    constexpr std::uint16_t low_byte = 0xFF;
    sink_->io({.kind = hook.kind,
               .time = record.time,
               .thread = record.thread,
               .processor = record.processor(),
               .opcode = static_cast<std::uint8_t>(hook.id & low_byte),
               .numbers = std::span(numbers).first(count),
               .text = text});
}

namespace {

enum KernelTag : std::uint32_t {
    dpc_slice_tag = 420,
    isr_slice_tag,
    read_slice_tag,
    write_slice_tag,
    flush_slice_tag,
    fault_slice_tag,
    mark_slice_tag,
    memory_slice_tag,
    heap_slice_tag,
    end_slice_tag,
};

constexpr std::pair<std::uint16_t, KernelTag> interrupt_slice_hooks[] = {
    {0x0F44, dpc_slice_tag}, {0x0F45, dpc_slice_tag}, {0x0F42, dpc_slice_tag},
    {0x0F43, isr_slice_tag}, {0x0F32, isr_slice_tag}, {0x0F5F, isr_slice_tag}};

KernelTag tag_of(format::DiskOperation operation) noexcept {
    switch (operation) {
    case format::DiskOperation::read:
        return read_slice_tag;
    case format::DiskOperation::write:
        return write_slice_tag;
    case format::DiskOperation::flush:
        break;
    }
    return flush_slice_tag;
}

std::string_view slice_name(std::uint32_t tag) noexcept {
    switch (tag) {
    case dpc_slice_tag:
        return "dpc";
    case isr_slice_tag:
        return "isr";
    case read_slice_tag:
        return "disk read";
    case write_slice_tag:
        return "disk write";
    case flush_slice_tag:
        return "disk flush";
    default:
        return "hard fault";
    }
}

} // namespace

void KernelSlices::subscribe(Subscriptions& subscriptions) {
    for (const auto& [hook, tag] : interrupt_slice_hooks) {
        subscriptions.hook(hook, tag, {"InitialTime", "Routine"});
    }
    for (const auto& [hook, operation] : format::disk_hooks) {
        subscriptions.hook(hook, tag_of(operation),
                           {"HighResResponseTime", "IssuingThreadId", "TransferSize"});
    }
    for (const auto& [id, operation] : format::disk_events) {
        subscriptions.provider(format::kernel_disk_guid, tag_of(operation), {id}, Use::values,
                               {"HighResResponseTime", "IssuingThreadId", "TransferSize"});
    }
    subscriptions.hook(0x0220, fault_slice_tag, {"InitialTime", "TThreadId"});
    subscriptions.hook(0x0F22, mark_slice_tag, {"Message"});
    subscriptions.hook(0x0270, memory_slice_tag, {"FreePages"});
    constexpr std::uint16_t heap_statistics = 4;
    subscriptions.provider(format::dotnet_runtime_guid, heap_slice_tag, {heap_statistics});
}

bool KernelSlices::takes(std::uint32_t tag) noexcept {
    return tag >= dpc_slice_tag && tag < end_slice_tag;
}

void KernelSlices::add(const Context& context, const Record& record) {
    if (!record.in_range || is_disk_repetition(record, context)) {
        return;
    }
    if (record.tag == dpc_slice_tag || record.tag == isr_slice_tag) {
        add_interrupt(context, record);
    } else if (record.tag == mark_slice_tag) {
        add_mark(record);
    } else if (record.tag == memory_slice_tag || record.tag == heap_slice_tag) {
        add_counter(context, record);
    } else {
        add_operation(context, record);
    }
}

bool KernelSlices::show(const Context& context, Slice slice, std::uint64_t duration) {
    if (!(*context.owners)[(*threads_)[slice.thread].owner].is_selected) {
        return false;
    }
    slice.from = slice.to - static_cast<std::int64_t>(std::min(
                                duration, static_cast<std::uint64_t>(slice.to - context.begin)));
    ++slices_;
    sink_->slice(slice);
    return true;
}

void KernelSlices::add_interrupt(const Context& context, const Record& record) {
    const auto began = static_cast<std::int64_t>(record.number(0));
    if (!record.has(0) || began > record.time) {
        return; // etl interrupts counts it in invalid_times
    }
    std::string name;
    const FrameRef frame =
        frames_->frame(context, {.process = 0, .address = record.number(1), .time = record.time});
    frames_->function((*frames_)[frame].function).append_to(name);
    show(context,
         {.to = record.time,
          .thread = threads_->row_of(record.tag == dpc_slice_tag ? Owners::dpc : Owners::isr,
                                     std::nullopt),
          .processor = record.processor(),
          .category = slice_name(record.tag),
          .name = name,
          .is_nested = true},
         static_cast<std::uint64_t>(record.time) - static_cast<std::uint64_t>(began));
}

void KernelSlices::add_operation(const Context& context, const Record& record) {
    const std::uint64_t stored = record.number(0);
    const bool is_fault = record.tag == fault_slice_tag;
    const auto end = static_cast<std::uint64_t>(record.time);
    if (!record.has(0) || stored > end) {
        return;
    }
    const std::uint32_t thread = record.number32(1);
    const bool has_thread = record.has(1) && thread != 0 && thread != flow::no_id;
    const OwnerRef owner =
        has_thread ? context.owners->of_thread_id(thread, record.time) : Owners::unknown;
    const bool is_shown = show(context,
                               {.to = record.time,
                                .thread = has_thread ? threads_->row_of(owner, thread) : 0,
                                .processor = {},
                                .category = is_fault ? "memory" : "disk",
                                .name = slice_name(record.tag)},
                               is_fault ? end - stored : stored);
    constexpr unsigned transfer_size = 2;
    if (is_shown && !is_fault && record.has(transfer_size)) {
        use_->add_transfer(record.time, record.number(transfer_size));
    }
}

void KernelSlices::add_mark(const Record& record) {
    const Bytes text = record.rest(0);
    const auto nul = std::ranges::find(text, std::byte{0});
    std::string name;
    append_ansi(name, text.first(static_cast<std::size_t>(nul - text.begin())));
    ++marks_;
    sink_->mark({.time = record.time, .thread = 0, .category = "mark", .name = name});
}

void KernelSlices::add_counter(const Context& context, const Record& record) {
    CounterValue value{.time = record.time, .name = "free pages"};
    if (record.tag == heap_slice_tag) {
        // GCHeapStats: GenerationSize0, TotalPromotedSize0, GenerationSize1, ... of 0 to 3, u64.
        constexpr std::size_t step = 16, generations = 4;
        value.name = "GC heap";
        value.value = 0;
        for (std::size_t i = 0; i < generations; ++i) {
            if (!has_range(record.payload, i * step, sizeof(std::uint64_t))) {
                return;
            }
            value.value += load_le<std::uint64_t>(record.payload.data() + i * step);
        }
        value.owner = context.owners->process_now(record.process, record.time);
    } else if (record.has(0)) {
        value.value = record.number(0);
    } else {
        return;
    }
    if ((*context.owners)[value.owner].is_selected) {
        ++counters_;
        sink_->counter(value);
    }
}

} // namespace etl::analysis
