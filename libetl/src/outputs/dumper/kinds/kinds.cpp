#include "dumper/kinds/kinds.hpp"

#include "dumper/kinds/columns.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace etl::dumper {

namespace {

using namespace columns;

constexpr std::string_view process_id = "ProcessId", thread_id = "TThreadId", file_thread = "TTID",
                           issuer = "IssuingThreadId";

constexpr Kind all_kinds[] = {
    {"UnknownEvent/Classic", {}, {}, {}, unknown_classic_columns},
    {"InvalidEvent/Classic", {}, {}, {}, unknown_classic_columns},
    {"UnknownEvent/Crimson", {}, {}, {}, unknown_crimson_columns},
    {"InvalidEvent/Crimson", {}, {}, {}, unknown_crimson_columns},
    {"P-Start", {0x0301}, process_id, {}, process_columns},
    {"P-End", {0x0302}, process_id, {}, process_end_columns},
    {"P-DCStart", {0x0303}, process_id, {}, process_columns},
    {"P-DCEnd", {0x0304}, process_id, {}, process_columns},
    {"P-Zombie", {0x0327}, process_id, {}, process_columns},
    {"T-Start", {0x0501}, process_id, thread_id, thread_columns},
    {"T-End", {0x0502}, process_id, thread_id, thread_columns},
    {"T-DCStart", {0x0503}, process_id, thread_id, thread_columns},
    {"T-DCEnd", {0x0504}, process_id, thread_id, thread_columns},
    {"I-Start", {0x030A, 0x140A}, process_id, {}, image_columns},
    {"I-End", {0x1402}, process_id, {}, image_columns},
    {"I-DCStart", {0x1403}, process_id, {}, image_columns},
    {"I-DCEnd", {0x1404}, process_id, {}, image_columns},
    {"CSwitch", {0x0524}, {}, "NewThreadId", switch_columns, Effect::context_switch},
    {"ReadyThread", {0x0532}, {}, {}, ready_columns, Effect::ready},
    {"SampledProfile", {0x0F2E}, {}, "ThreadId", sample_columns},
    {"DPC", {0x0F44}, {}, {}, dpc_columns, Effect::interrupt},
    {"DPCTmr", {0x0F45}, {}, {}, dpc_columns, Effect::interrupt},
    {"Interrupt", {0x0F43, 0x0F32}, {}, {}, interrupt_columns, Effect::interrupt},
    {"SysCallEnter", {0x0F33}, {}, {}, call_columns},
    {"SysCallExit", {0x0F34}, {}, {}, call_end_columns},
    {"ProfileFreq-SetInterval", {0x0F48}, {}, {}, interval_columns},
    {"ProfileFreq-DCStart", {0x0F49}, {}, {}, interval_columns},
    {"ProfileFreq-DCEnd", {0x0F4A}, {}, {}, interval_columns},
    {"VirtualAlloc", {0x0262}, process_id, {}, virtual_columns},
    {"VirtualFree", {0x0263}, process_id, {}, virtual_columns},
    {"PageFault", {0x020A, 0x020B, 0x020C, 0x020D, 0x020E, 0x020F}, {}, {}, page_fault_columns},
    {"HardFault", {0x0220}, {}, thread_id, hard_fault_columns},
    {"DiskRead", {0x010A}, {}, issuer, disk_columns, Effect::disk_end},
    {"DiskWrite", {0x010B}, {}, issuer, disk_columns, Effect::disk_end},
    {"DiskReadInit", {0x010C}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"DiskWriteInit", {0x010D}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"DiskFlush", {0x010E}, {}, issuer, flush_columns, Effect::disk_end},
    {"DiskFlushInit", {0x010F}, {}, issuer, disk_init_columns, Effect::disk_begin},
    {"FileIoCreate", {0x0440}, {}, file_thread, create_columns, Effect::request_begin},
    {"FileIoCleanup", {0x0441}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoClose", {0x0442}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoFlush", {0x0449}, {}, file_thread, simple_file_columns, Effect::request_begin},
    {"FileIoRead", {0x0443}, {}, file_thread, transfer_columns, Effect::request_begin},
    {"FileIoWrite", {0x0444}, {}, file_thread, transfer_columns, Effect::request_begin},
    {"FileIoSetInfo", {0x0445}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoQueryInfo", {0x044A}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoFSCTL", {0x044B}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoDelete", {0x0446}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoRename", {0x0447}, {}, file_thread, info_columns, Effect::request_begin},
    {"FileIoDirEnum", {0x0448}, {}, file_thread, directory_columns, Effect::request_begin},
    {"FileIoDirNotify", {0x044D}, {}, file_thread, directory_columns, Effect::request_begin},
    {"FileIoOpEnd", {0x044C}, {}, {}, end_columns, Effect::request_end},
    {"FileNameCreate", {0x0420}, {}, {}, name_columns},
    {"FileNameDelete", {0x0423}, {}, {}, name_columns},
    {"FileNameRundown", {0x0424}, {}, {}, name_columns},
};

static_assert(std::size(all_kinds) < no_kind);

constexpr auto kinds_by_hook = [] {
    constexpr std::size_t groups = 0x15, types = 0x100;
    std::array<std::uint8_t, groups * types> by_hook{};
    by_hook.fill(no_kind);
    for (std::size_t i = 0; i < std::size(all_kinds); ++i) {
        for (const std::uint16_t hook : all_kinds[i].hooks) {
            if (hook != 0) {
                by_hook[hook] = static_cast<std::uint8_t>(i);
            }
        }
    }
    return by_hook;
}();

} // namespace

std::span<const Kind> kinds() noexcept {
    return all_kinds;
}

std::uint8_t kind_of_hook(std::uint16_t hook) noexcept {
    return hook < kinds_by_hook.size() ? kinds_by_hook[hook] : no_kind;
}

} // namespace etl::dumper
