#include "facts/roles.hpp"

#include "base/text.hpp"
#include "flow/context.hpp"
#include "format/kernel_group.hpp"

#include <algorithm>

namespace etl::facts {

namespace {

struct Meaning {
    std::string_view field;
    Role role;
};

// Of the kernel's classes, which say no more than that a field is a number.
constexpr Meaning kernel_meanings[] = {
    {"ProcessId", Role::process},
    {"ParentId", Role::process},
    {"PID", Role::process},
    {"StackProcess", Role::process},
    {"ThreadId", Role::thread},
    {"TThreadId", Role::thread},
    {"TTID", Role::thread},
    {"NewThreadId", Role::thread},
    {"OldThreadId", Role::thread},
    {"IssuingThreadId", Role::thread},
    {"StackThread", Role::thread},
    {"Routine", Role::address},
    {"InstructionPointer", Role::address},
    {"ProgramCounter", Role::address},
    {"StartAddr", Role::address},
    {"Win32StartAddr", Role::address},
    {"SysCallAddress", Role::address},
    {"CompletionRoutine", Role::address},
    {"ThreadProc", Role::address},
    {"ByteOffset", Role::disk_offset},
};

// Of everybody: a number that is no known object gives no text.
constexpr Meaning meanings_everywhere[] = {
    {"FileObject", Role::file},
    {"FileKey", Role::file},
    {"DiskNumber", Role::disk},
};

/// The thread at work, of records whose header has no room for it.
struct Worker {
    std::uint16_t hook_id;
    std::string_view field;
};

constexpr Worker workers[] = {
    {0x0F2E, "ThreadId"},        // PerfInfo/SampleProf
    {0x0F2F, "ThreadId"},        // PerfInfo/PmcCounterProf
    {0x0524, "NewThreadId"},     // Thread/CSwitch
    {0x0220, "TThreadId"},       // PageFault/HardFault
    {0x010A, "IssuingThreadId"}, // DiskIo/Read
    {0x010B, "IssuingThreadId"}, // DiskIo/Write
    {0x010E, "IssuingThreadId"}, // DiskIo/FlushBuffers
};

constexpr std::uint16_t sample_hook = 0x0F2E;  // PerfInfo/SampleProf
constexpr std::uint16_t counter_hook = 0x0F2F; // PerfInfo/PmcCounterProf
constexpr std::uint8_t file_group = 0x04;
constexpr std::uint8_t stack_group = 0x18;

Role role_in(std::span<const Meaning> meanings, std::string_view field) noexcept {
    const auto found = std::ranges::find_if(meanings, [&](const Meaning& meaning) {
        return equals_ignoring_case(meaning.field, field);
    });
    return found != meanings.end() ? found->role : Role::none;
}

Role role_of(const schema::Field& field, bool is_kernel) noexcept {
    if (field.out_type == schema::OutType::pid) {
        return Role::process;
    }
    if (field.out_type == schema::OutType::tid) {
        return Role::thread;
    }
    if (field.out_type == schema::OutType::code_pointer) {
        return Role::address;
    }
    const Role everywhere = role_in(meanings_everywhere, field.name);
    return everywhere == Role::none && is_kernel ? role_in(kernel_meanings, field.name)
                                                 : everywhere;
}

// Records that give a file its name say what they would be told.
bool names_files(std::uint16_t hook_id) noexcept {
    const unsigned type = hook_id & 0xFFU;
    return hook_id >> 8U == file_group && (type == 0 || type == 32 || type == 35 || type == 36);
}

} // namespace

KindRoles roles_of(const decode::DecodedEvent& event) {
    KindRoles roles;
    const flow::EventHeader& header = event.header;
    const std::uint16_t hook = header.is_kernel ? header.hook_id : std::uint16_t{0};
    roles.may_have_stack = header.is_kernel && hook >> 8U != stack_group && hook >> 8U != 0;
    roles.is_of_runtime = flow::runtime_record_of(*event.event) == flow::RuntimeRecord::event;
    roles.is_interrupt = hook == sample_hook || hook == counter_hook;
    roles.owner = owner_fields_of(event);
    roles.zero_is_kernel = roles.owner.zero_is_kernel;
    if (event.kind->schema == nullptr) {
        return roles;
    }
    const bool is_kernel = !format::class_name(header.provider).empty();
    const auto& fields = event.kind->schema->fields;
    const auto worker = std::ranges::find(workers, hook, &Worker::hook_id);
    roles.fields.resize(fields.size(), Role::none);
    bool has_any = false;
    for (const std::uint16_t i : event.kind->schema->top_level()) {
        Role role = role_of(fields[i], is_kernel);
        if (role == Role::file && names_files(hook)) {
            role = Role::none;
        }
        if (worker != std::end(workers) && equals_ignoring_case(worker->field, fields[i].name)) {
            roles.thread = i;
        }
        if (role == Role::none && roles.owner.names(i)) {
            role = Role::owner;
        }
        roles.fields[i] = role;
        has_any |= role != Role::none;
    }
    if (!has_any) {
        roles.fields.clear();
    }
    return roles;
}

} // namespace etl::facts
