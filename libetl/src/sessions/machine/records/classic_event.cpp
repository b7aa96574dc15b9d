#include "machine/records/classic_event.hpp"

#include "format/records.hpp"
#include "format/set_field.hpp"

namespace etl::machine {

using namespace format;

namespace {

/// What a classic record of this kind contains at least; nothing: the kind is not classic.
std::optional<std::size_t> least_size(RecordKind kind) noexcept {
    if (kind == RecordKind::full32 || kind == RecordKind::full64) {
        return full_record::size;
    }
    if (kind == RecordKind::instance32 || kind == RecordKind::instance64) {
        return instance_record::size;
    }
    return kind == RecordKind::message ? std::optional(message_record::size) : std::nullopt;
}

bool has_sequence(RecordKind kind, Bytes record) noexcept {
    return kind == RecordKind::message &&
           (load<message_record::options>(record.first<message_record::size>()) &
            message_record::sequence) != 0;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    const auto least = least_size(shape.kind);
    if (shape.size != record.size() || !least || record.size() < *least) {
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
