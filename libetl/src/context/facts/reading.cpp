#include "facts/reading.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"

#include <algorithm>

namespace etl::facts {

namespace {

using decode::Form;
using decode::Step;

struct Naming {
    Topic topic;
    Slot slot;
    std::string_view field;
};

// Names as they are in the classes of all versions, and in the manifests.
constexpr Naming namings[] = {
    {Topic::process, Slot::process_id, "ProcessId"},
    {Topic::process, Slot::parent_id, "ParentId"},
    {Topic::process, Slot::parent_id, "ParentProcessID"},
    {Topic::process, Slot::name, "ImageFileName"},
    {Topic::process, Slot::name, "ImageName"},
    {Topic::process, Slot::command_line, "CommandLine"},
    {Topic::process, Slot::exit_time, "ExitTime"},
    {Topic::thread, Slot::process_id, "ProcessId"},
    {Topic::thread, Slot::thread_id, "TThreadId"},
    {Topic::thread, Slot::thread_id, "ThreadID"},
    {Topic::image, Slot::process_id, "ProcessId"},
    {Topic::image, Slot::image_base, "ImageBase"},
    {Topic::image, Slot::image_base, "BaseAddress"},
    {Topic::image, Slot::image_size, "ImageSize"},
    {Topic::image, Slot::image_size, "ModuleSize"},
    {Topic::image, Slot::time_date_stamp, "TimeDateStamp"},
    {Topic::image, Slot::name, "FileName"},
    {Topic::image, Slot::name, "ImageFileName"},
    {Topic::image, Slot::name, "ImageName"},
    {Topic::image_info, Slot::process_id, "ProcessId"},
    {Topic::image_info, Slot::image_base, "ImageBase"},
    {Topic::image_info, Slot::time_date_stamp, "TimeDateStamp"},
    {Topic::image_info, Slot::name, "OriginalFileName"},
    {Topic::image_pdb, Slot::process_id, "ProcessId"},
    {Topic::image_pdb, Slot::image_base, "ImageBase"},
    {Topic::image_pdb, Slot::pdb_guid, "GuidSig"},
    {Topic::image_pdb, Slot::pdb_age, "Age"},
    {Topic::image_pdb, Slot::pdb_name, "PdbFileName"},
    {Topic::method, Slot::module_id, "ModuleID"},
    {Topic::method, Slot::code_start, "MethodStartAddress"},
    {Topic::method, Slot::code_size, "MethodSize"},
    {Topic::method, Slot::code_flags, "MethodFlags"},
    {Topic::method, Slot::token, "MethodToken"},
    {Topic::method, Slot::type_name, "MethodNamespace"},
    {Topic::method, Slot::name, "MethodName"},
    {Topic::method, Slot::signature, "MethodSignature"},
    {Topic::script_method, Slot::module_id, "SourceID"},
    {Topic::script_method, Slot::code_start, "MethodStartAddress"},
    {Topic::script_method, Slot::code_size, "MethodSize"},
    {Topic::script_method, Slot::code_flags, "MethodFlags"},
    {Topic::script_method, Slot::line, "Line"},
    {Topic::script_method, Slot::name, "MethodName"},
    {Topic::module, Slot::module_id, "ModuleID"},
    {Topic::module, Slot::module_path, "ModuleILPath"},
    {Topic::module, Slot::native_path, "ModuleNativePath"},
    {Topic::module, Slot::pdb_guid, "ManagedPdbSignature"},
    {Topic::module, Slot::pdb_age, "ManagedPdbAge"},
    {Topic::module, Slot::pdb_name, "ManagedPdbBuildPath"},
    {Topic::module, Slot::native_pdb_guid, "NativePdbSignature"},
    {Topic::module, Slot::native_pdb_age, "NativePdbAge"},
    {Topic::module, Slot::native_pdb_name, "NativePdbBuildPath"},
    {Topic::script, Slot::module_id, "SourceID"},
    {Topic::script, Slot::module_path, "Url"},
    {Topic::volume, Slot::module_path, "NtPath"},
    {Topic::volume, Slot::native_path, "DosPath"},
    {Topic::file, Slot::file, "FileObject"},
    {Topic::file, Slot::file, "FileKey"},
    {Topic::file, Slot::name, "FileName"},
    {Topic::file, Slot::name, "OpenPath"},
    {Topic::disk, Slot::disk_number, "DiskNumber"},
    {Topic::disk, Slot::partition_offset, "StartOffset"},
    {Topic::disk, Slot::partition_size, "PartitionSize"},
    {Topic::disk, Slot::drive_letters, "DriveLetterString"},
    {Topic::stack, Slot::event_time, "EventTimeStamp"},
    {Topic::stack, Slot::stack_process, "StackProcess"},
    {Topic::stack, Slot::stack_thread, "StackThread"},
    {Topic::kernel_key, Slot::event_time, "EventTimeStamp"},
    {Topic::kernel_key, Slot::stack_process, "StackProcess"},
    {Topic::kernel_key, Slot::stack_thread, "StackThread"},
    {Topic::kernel_key, Slot::stack_key, "StackKey"},
    {Topic::key_created, Slot::stack_key, "key"},
    {Topic::key_created, Slot::stack_key, "StackKey"},
};

// Topics whose records look alike.
Topic naming_topic(Topic topic) noexcept {
    return topic == Topic::user_key       ? Topic::kernel_key
           : topic == Topic::key_ended    ? Topic::key_created
           : topic == Topic::image_il_pdb ? Topic::image_pdb
                                          : topic;
}

// The field behind which the frames of a stack record lie.
Slot last_before_frames(Topic topic) noexcept {
    const bool has_key = topic == Topic::key_created || topic == Topic::key_ended;
    return topic == Topic::stack ? Slot::stack_thread : has_key ? Slot::stack_key : Slot::none;
}

// Slots that keep the value itself: texts and GUIDs.
constexpr std::array text_slots{
    Slot::name,
    Slot::command_line,
    Slot::pdb_guid,
    Slot::pdb_name,
    Slot::native_path,
    Slot::module_path,
    Slot::type_name,
    Slot::signature,
    Slot::native_pdb_guid,
    Slot::native_pdb_name,
};

bool is_text(Slot slot) noexcept {
    return std::ranges::find(text_slots, slot) != text_slots.end();
}

constexpr std::size_t max_letters = 16;

} // namespace

const std::vector<Slot>& RecordReader::slots_of(const decode::EventKind& kind, Topic topic) {
    if (decoder_.generation() != generation_) {
        kinds_.clear();
        generation_ = decoder_.generation();
    }
    if (kind.number >= kinds_.size()) {
        kinds_.resize(kind.number + 1);
    }
    std::vector<Slot>& slots = kinds_[kind.number];
    if (slots.empty() && kind.schema != nullptr) {
        slots.assign(kind.schema->fields.size(), Slot::none);
        for (const std::uint16_t field : kind.schema->top_level()) {
            for (const Naming& naming : namings) {
                if (naming.topic == naming_topic(topic) &&
                    equals_ignoring_case(naming.field, kind.schema->fields[field].name)) {
                    slots[field] = naming.slot;
                }
            }
        }
    }
    return slots;
}

const Reading* RecordReader::read(const flow::Event& event, Topic topic) {
    const decode::DecodedEvent& decoded = decoder_.decode(event);
    if (decoded.kind->schema == nullptr) {
        return nullptr;
    }
    const std::vector<Slot>& slots = slots_of(*decoded.kind, topic);
    const Slot before_frames = last_before_frames(topic);
    reading_.event = &decoded;
    reading_.has.reset();
    reading_.letters.clear();
    reading_.frames = {};
    walker_.start(decoded.kind->plan, decoded.body);
    for (Step step = walker_.next(); step != Step::end; step = walker_.next()) {
        const Slot slot = step == Step::value ? slots[walker_.field()] : Slot::none;
        if (slot == Slot::none) {
            continue;
        }
        keep(slot, walker_.value());
        if (slot == before_frames) {
            reading_.frames = walker_.trailing();
            break;
        }
    }
    return &reading_;
}

// Of a name that occurs twice the first counts, but letters come one by one.
void RecordReader::keep(Slot slot, const decode::Value& value) {
    const auto index = static_cast<std::size_t>(slot);
    if (slot == Slot::drive_letters) {
        const bool is_unit = value.form == Form::char16 || value.form == Form::text16;
        if (is_unit && reading_.letters.size() < max_letters) {
            append_utf16le(reading_.letters, value.bytes);
        }
        reading_.has.set(index);
        return;
    }
    if (reading_.has[index]) {
        return;
    }
    if (is_text(slot)) {
        reading_.texts[index] = value;
    } else if (schema::is_integer(value.form)) {
        reading_.numbers[index] = decode::bits_of(value);
    } else if ((value.form == Form::ticks || value.form == Form::filetime) &&
               value.bytes.size() == sizeof(std::uint64_t)) {
        reading_.numbers[index] = load_le<std::uint64_t>(value.bytes.data());
    } else {
        return;
    }
    reading_.has.set(index);
}

} // namespace etl::facts
