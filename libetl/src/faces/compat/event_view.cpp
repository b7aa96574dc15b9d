#include "compat/event_view.hpp"

#include "compat/c_values.hpp"
#include "flow/event.hpp"

#include <algorithm>
#include <span>

namespace etl::compat {

namespace {

LONGLONG stamp_of(const flow::Event& event, Stamps stamps) noexcept {
    const std::int64_t raw = flow::stored_time(event).value_or(event.raw_time);
    return stamps == Stamps::raw ? raw : event.trace().clock.to_filetime(raw).ticks;
}

EVENT_HEADER c_view(const flow::EventHeader& from, const flow::Event& event,
                    Stamps stamps) noexcept {
    EVENT_HEADER to{};
    to.Size = static_cast<USHORT>(event.size);
    to.Flags = from.flags;
    to.EventProperty = from.property;
    to.ThreadId = from.thread_id;
    to.ProcessId = from.process_id;
    to.TimeStamp.QuadPart = stamp_of(event, stamps);
    to.ProviderId = compat::to_c(from.provider);
    to.EventDescriptor.Id = from.id;
    to.EventDescriptor.Version = from.version;
    to.EventDescriptor.Channel = from.channel;
    to.EventDescriptor.Level = from.level;
    to.EventDescriptor.Opcode = from.opcode;
    to.EventDescriptor.Task = from.task;
    to.EventDescriptor.Keyword = from.keyword;
    to.ProcessorTime = from.cpu_time;
    to.ActivityId = compat::to_c(from.activity);
    return to;
}

ETW_BUFFER_CONTEXT context_of(const flow::Event& event) noexcept {
    ETW_BUFFER_CONTEXT context{};
    context.ProcessorIndex = event.buffer->processor;
    context.LoggerId = event.buffer->logger_id;
    return context;
}

SYSTEMTIME c_view(const format::SystemTime& from) noexcept {
    return {from.year, from.month,  from.day_of_week, from.day,
            from.hour, from.minute, from.second,      from.milliseconds};
}

void put_name(std::span<WCHAR, 32> to, std::u16string_view name) noexcept {
    const std::size_t length = std::min(name.size(), to.size() - 1);
    std::ranges::copy(name.substr(0, length), to.begin());
}

} // namespace

void EventView::add_item(USHORT type, Bytes data) noexcept {
    if (items_count_ == items_.size()) {
        return;
    }
    EVENT_HEADER_EXTENDED_DATA_ITEM& item = items_[items_count_++];
    item = {};
    item.ExtType = type;
    item.DataSize = static_cast<USHORT>(data.size());
    item.DataPtr = reinterpret_cast<std::uintptr_t>(data.data()); // NOLINT(*-reinterpret-cast)
}

void EventView::add_items(const flow::Event& event, const flow::EventHeader& header) noexcept {
    items_count_ = 0;
    if (!header.has_invalid_items && !header.items.empty()) {
        format::ExtendedItems items(header.items);
        format::ExtendedItem item;
        while (items.next(item)) {
            add_item(static_cast<USHORT>(item.type), item.data);
        }
    }
    if (format::is_instance(event.kind)) {
        instance_ = {header.instance_id, header.parent_instance_id,
                     compat::to_c(header.parent_guid)};
        add_item(EVENT_HEADER_EXT_TYPE_INSTANCE_INFO,
                 std::as_bytes(std::span<const EVENT_EXTENDED_ITEM_INSTANCE, 1>(&instance_, 1)));
    }
    if (!header.pebs.empty()) {
        add_item(EVENT_HEADER_EXT_TYPE_PEBS_INDEX, header.pebs);
    }
    if (!header.counters.empty()) {
        add_item(EVENT_HEADER_EXT_TYPE_PMC_COUNTERS, header.counters);
    }
    for (USHORT i = 0; i < items_count_; ++i) {
        items_[i].Linkage = (i + 1 < items_count_) ? 1 : 0;
    }
}

flow::Event EventView::copy_of(const flow::Event& event) {
    const Bytes record = event.bytes();
    bytes_.assign(record.begin(), record.end());
    flow::Event copy = event;
    copy.record = bytes_.data();
    return copy;
}

PVOID EventView::payload(const flow::EventHeader& header) noexcept {
    return bytes_.data() + (bytes_.size() - header.payload.size());
}

EVENT_RECORD& EventView::show(const flow::Event& of_trace, Stamps stamps, void* context) {
    const flow::Event event = copy_of(of_trace);
    const flow::EventHeader header = flow::read_header(event);
    add_items(event, header);
    record_.EventHeader = c_view(header, event, stamps);
    record_.BufferContext = context_of(event);
    record_.ExtendedDataCount = items_count_;
    record_.ExtendedData = items_count_ != 0 ? items_.data() : nullptr;
    record_.UserDataLength = static_cast<USHORT>(header.payload.size());
    record_.UserData = payload(header);
    record_.UserContext = context;
    return record_;
}

EVENT_TRACE& EventView::show_old(const flow::Event& of_trace, Stamps stamps) {
    const flow::Event event = copy_of(of_trace);
    const flow::EventHeader header = flow::read_header(event);
    trace_ = {};
    trace_.Header.Size = static_cast<USHORT>(event.size);
    trace_.Header.Class.Type = header.opcode;
    trace_.Header.Class.Level = header.level;
    trace_.Header.Class.Version = header.version;
    trace_.Header.ThreadId = header.thread_id;
    trace_.Header.ProcessId = header.process_id;
    trace_.Header.TimeStamp.QuadPart = stamp_of(event, stamps);
    trace_.Header.Guid = compat::to_c(header.provider);
    trace_.Header.ProcessorTime = header.cpu_time;
    trace_.InstanceId = header.instance_id;
    trace_.ParentInstanceId = header.parent_instance_id;
    trace_.ParentGuid = compat::to_c(header.parent_guid);
    trace_.MofData = payload(header);
    trace_.MofLength = static_cast<ULONG>(header.payload.size());
    trace_.BufferContext = context_of(event);
    return trace_;
}

TRACE_LOGFILE_HEADER to_c(const flow::TraceInfo& info) noexcept {
    const format::LogfileHeader& from = info.header;
    TRACE_LOGFILE_HEADER to{};
    to.BufferSize = from.buffer_size;
    to.VersionDetail.MajorVersion = from.major_version;
    to.VersionDetail.MinorVersion = from.minor_version;
    to.VersionDetail.SubVersion = from.sub_version;
    to.VersionDetail.SubMinorVersion = from.sub_minor_version;
    to.ProviderVersion = from.provider_version;
    to.NumberOfProcessors = from.number_of_processors;
    to.EndTime.QuadPart = from.end_time;
    to.TimerResolution = from.timer_resolution;
    to.MaximumFileSize = from.maximum_file_size;
    to.LogFileMode = from.log_file_mode;
    to.BuffersWritten = from.buffers_written;
    to.StartBuffers = from.start_buffers;
    to.PointerSize = from.pointer_size;
    to.EventsLost = from.events_lost;
    to.CpuSpeedInMHz = from.cpu_speed_mhz;
    to.TimeZone.Bias = from.time_zone.bias;
    put_name(to.TimeZone.StandardName, from.time_zone.standard_name);
    to.TimeZone.StandardDate = c_view(from.time_zone.standard_date);
    to.TimeZone.StandardBias = from.time_zone.standard_bias;
    put_name(to.TimeZone.DaylightName, from.time_zone.daylight_name);
    to.TimeZone.DaylightDate = c_view(from.time_zone.daylight_date);
    to.TimeZone.DaylightBias = from.time_zone.daylight_bias;
    to.BootTime.QuadPart = from.boot_time;
    to.PerfFreq.QuadPart = from.perf_freq;
    to.StartTime.QuadPart = from.start_time;
    to.ReservedFlags = from.reserved_flags;
    to.BuffersLost = from.buffers_lost;
    return to;
}

} // namespace etl::compat
