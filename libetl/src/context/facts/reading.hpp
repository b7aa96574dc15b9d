// The values of a record that tells a fact, by the names of its fields. Private to facts.
#pragma once

#include "decode/decoder.hpp"
#include "facts/subject.hpp"

#include <array>
#include <bitset>

namespace etl::facts {

/// What is wanted of records, whatever their version calls it.
enum class Slot : std::uint8_t {
    process_id,
    parent_id,
    thread_id,
    name,
    command_line,
    image_base,
    image_size,
    file,
    disk_number,
    partition_offset,
    partition_size,
    drive_letters,
    event_time,
    exit_time,
    stack_process,
    stack_thread,
    stack_key,
    time_date_stamp,
    pdb_guid,
    pdb_age,
    pdb_name,
    native_pdb_guid,
    native_pdb_age,
    native_pdb_name,
    module_id,
    module_path,
    native_path,
    code_start,
    code_size,
    code_flags,
    token,
    line,
    type_name,
    signature,
    none,
};

inline constexpr std::size_t slot_count = static_cast<std::size_t>(Slot::none);

/// One record read. Views into the record, or into the reader; good until the next.
struct Reading {
    const decode::DecodedEvent* event = nullptr;
    std::bitset<slot_count> has;
    std::array<std::uint64_t, slot_count> numbers{};
    std::array<decode::Value, slot_count> texts{};
    std::string letters;
    Bytes frames; // what lies behind the fields wanted of a stack record

    bool has_slot(Slot slot) const noexcept { return has[static_cast<std::size_t>(slot)]; }

    std::uint64_t number(Slot slot) const noexcept {
        return numbers[static_cast<std::size_t>(slot)];
    }

    std::uint32_t id(Slot slot) const noexcept {
        return has_slot(slot) ? static_cast<std::uint32_t>(number(slot)) : flow::no_id;
    }

    const decode::Value& text(Slot slot) const noexcept {
        return texts[static_cast<std::size_t>(slot)];
    }
};

/// Reads records of many kinds. One thread.
class RecordReader {
public:
    RecordReader(schema::SchemasByTrace schemas, unsigned pointer_size)
        : decoder_(std::move(schemas), {.pointer_size = pointer_size}) {}

    /// Good until the next call. Null: nothing describes the record.
    const Reading* read(const flow::Event& event, Topic topic);

private:
    const std::vector<Slot>& slots_of(const decode::EventKind& kind, Topic topic);
    void keep(Slot slot, const decode::Value& value);

    decode::Decoder decoder_;
    decode::FieldWalker walker_;
    std::vector<std::vector<Slot>> kinds_; // by number of the kind: a slot for each field
    std::uint32_t generation_ = 0;
    Reading reading_;
};

} // namespace etl::facts
