#include "compat/functions/classic_record.hpp"

#include "host/process.hpp"

#include <cstring>

namespace etl::compat {

bool ClassicData::read(const std::byte* behind, std::size_t size, ULONG flags) noexcept {
    if ((flags & WNODE_FLAG_USE_MOF_PTR) == 0) {
        parts_[0] = {behind, size};
        count_ = 1;
        return true;
    }
    count_ = size / sizeof(MOF_FIELD);
    if (count_ > MAX_MOF_FIELDS) {
        return false;
    }
    for (std::size_t i = 0; i < count_; ++i) {
        MOF_FIELD field;
        std::memcpy(&field, behind + i * sizeof field, sizeof field);
        parts_[i] = {reinterpret_cast<const std::byte*>( // NOLINT(*-reinterpret-cast,*-int-to-ptr)
                         static_cast<std::uintptr_t>(field.DataPtr)),
                     field.Length};
    }
    return true;
}

std::uint64_t ClassicData::size() const noexcept {
    std::uint64_t all = 0;
    for (const Bytes part : std::span(parts_).first(count_)) {
        all += part.size();
    }
    return all;
}

void ClassicData::put(std::byte* to) const noexcept {
    for (const Bytes part : std::span(parts_).first(count_)) {
        if (!part.empty()) {
            std::memcpy(to, part.data(), part.size());
            to += part.size();
        }
    }
}

void put_common(std::span<std::byte, format::full_record::size> to, std::uint16_t size,
                format::RecordFamily family, const CommonHeader& from, const Guid& event_class) {
    namespace full = format::full_record;
    constexpr auto width = sizeof(void*) == 4 ? format::Width::bits32 : format::Width::bits64;
    store_le(to.data(), format::first_dword({family, width}, size));
    store<full::type>(to, from.type);
    store<full::level>(to, from.level);
    store<full::version>(to, from.version);
    store<full::thread_id>(to, host::thread_id());
    store<full::process_id>(to, host::process_id());
    store<full::time_stamp>(to, std::int64_t{0});
    store<full::guid>(to, event_class);
    store<full::kernel_time>(to, std::uint32_t{0});
    store<full::user_time>(to, std::uint32_t{0});
}

} // namespace etl::compat
