#include "machine/records/classic_event.hpp"

#include "format/records.hpp"
#include "format/set_field.hpp"

namespace etl::machine {

using namespace format;

namespace {

/// INSTANCE records of today have GUIDs.
bool is_classic(const RecordShape& shape) noexcept {
    return (has_class(shape.kind) || is_message(shape.kind)) &&
           (!is_instance(shape.kind) || shape.size >= instance_record::size);
}

bool has_sequence(RecordKind kind, Bytes record) noexcept {
    return is_message(kind) &&
           (get_field<message_record::options>(record) & message_record::sequence) != 0;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    if (shape.size != record.size() || !is_classic(shape)) {
        return false;
    }
    to.record.assign(record.begin(), record.end());
    set_process_id(shape.kind, to.record, process_id);
    if (has_sequence(shape.kind, record)) {
        set_sequence(shape.kind, to.record, next_sequence());
    }
    to.stamp_at = time_offset(shape.kind, to.record);
    return true;
}

} // namespace etl::machine
