#include "analysis/activity/io_records.hpp"

#include "analysis/utf16.hpp"

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

} // namespace etl::analysis
