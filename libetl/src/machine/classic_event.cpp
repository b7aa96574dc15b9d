#include "machine/classic_event.hpp"

#include <etl/base/layout.hpp>
#include <etl/format/record_kind.hpp>
#include <etl/format/records.hpp>

namespace etl::machine {

using namespace format;

namespace {

bool take_full(std::size_t least, std::uint32_t process_id, ClassicEvent& to) {
    if (to.record.size() < least) {
        return false;
    }
    store_le(to.record.data() + full_record::process_id.offset, process_id);
    to.stamp_at = full_record::time_stamp.offset;
    return true;
}

/// The optional fields, in their order; false: they are not all there.
bool take_message(std::uint32_t process_id, FunctionRef<std::uint32_t()> next_sequence,
                  ClassicEvent& to) {
    namespace layout = message_record;
    const std::span<const std::byte, layout::size> head(to.record.data(), layout::size);
    const auto options = load<layout::options>(head);
    std::size_t at = layout::size;
    const auto has = [&](std::uint16_t option) { return (options & option) != 0; };
    const auto skip = [&](std::size_t size) {
        at += size;
        return to.record.data() + (at - size);
    };
    constexpr std::size_t id_size = sizeof(std::uint32_t);
    constexpr std::uint16_t either_stamp = layout::time_stamp | layout::performance_time_stamp;
    const std::size_t size = (has(layout::sequence) ? id_size : 0) +
                             (has(layout::component_id) ? id_size
                              : has(layout::guid)       ? sizeof(Guid)
                                                        : 0) +
                             (has(either_stamp) ? sizeof(std::int64_t) : 0) +
                             (has(layout::system_info) ? 2 * id_size : 0);
    if (to.record.size() - layout::size < size) {
        return false;
    }
    if (has(layout::sequence)) {
        store_le(skip(id_size), next_sequence());
    }
    if (has(layout::component_id)) {
        skip(id_size);
    } else if (has(layout::guid)) {
        skip(sizeof(Guid));
    }
    if (has(either_stamp)) {
        if (has(layout::time_stamp)) {
            to.stamp_at = static_cast<std::uint32_t>(at);
        }
        skip(sizeof(std::int64_t));
    }
    if (has(layout::system_info)) {
        skip(id_size); // thread
        store_le(skip(id_size), process_id);
    }
    return true;
}

} // namespace

bool take_classic(Bytes record, std::uint32_t process_id,
                  FunctionRef<std::uint32_t()> next_sequence, ClassicEvent& to) {
    const RecordShape shape = record_at(record);
    if (shape.size != record.size()) {
        return false;
    }
    to.record.assign(record.begin(), record.end());
    to.stamp_at.reset();
    switch (shape.kind) {
    case RecordKind::full32:
    case RecordKind::full64:
        return take_full(full_record::size, process_id, to);
    case RecordKind::instance32:
    case RecordKind::instance64:
        return take_full(instance_record::size, process_id, to);
    case RecordKind::message:
        return to.record.size() >= message_record::size &&
               take_message(process_id, next_sequence, to);
    case RecordKind::none:
    case RecordKind::system32:
    case RecordKind::system64:
    case RecordKind::compact32:
    case RecordKind::compact64:
    case RecordKind::perfinfo32:
    case RecordKind::perfinfo64:
    case RecordKind::event32:
    case RecordKind::event64:
    case RecordKind::timed:
    case RecordKind::error:
    case RecordKind::wnode:
    case RecordKind::ulong32:
        break;
    }
    return false;
}

} // namespace etl::machine
