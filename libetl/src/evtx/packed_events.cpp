#include <etl/base/layout.hpp>
#include <etl/base/text.hpp>
#include <etl/evtx/packed_events.hpp>

#include <array>
#include <cstring>
#include <limits>
#include <type_traits>

namespace etl::evtx {

namespace {

using Length = std::uint32_t;

class Packer {
public:
    explicit Packer(std::string& to) : to_(to) {}

    template <typename T>
        requires std::is_trivially_copyable_v<T>
    void operator()(const T& value) {
        std::array<char, sizeof(T)> bytes;
        std::memcpy(bytes.data(), &value, sizeof(T)); // the same process reads it
        to_.append(bytes.data(), bytes.size());
    }

    void operator()(const std::string& text) {
        (*this)(static_cast<Length>(text.size()));
        to_ += text;
    }

    void operator()(Bytes bytes) {
        (*this)(static_cast<Length>(bytes.size()));
        to_ += as_text(bytes);
    }

private:
    std::string& to_;
};

class Unpacker {
public:
    explicit Unpacker(std::string_view from) : from_(from) {}

    template <typename T>
        requires std::is_trivially_copyable_v<T>
    void operator()(T& value) {
        const std::string_view bytes = take(sizeof(T));
        if (!failed_) {
            std::memcpy(&value, bytes.data(), sizeof(T));
        }
    }

    void operator()(std::string& text) {
        Length size = 0;
        (*this)(size);
        text = take(size);
    }

    void operator()(Bytes& bytes) {
        Length size = 0;
        (*this)(size);
        bytes = std::as_bytes(std::span(take(size)));
    }

    bool failed() const noexcept { return failed_; }

private:
    std::string_view take(std::size_t size) {
        failed_ = failed_ || size > from_.size();
        const std::string_view part = from_.substr(0, failed_ ? 0 : size);
        from_.remove_prefix(part.size());
        return part;
    }

    std::string_view from_;
    bool failed_ = false;
};

/// The members of an event, for both directions.
template <typename It, typename Pack>
void members(It& event, Pack& pack) {
    pack(event.provider);
    pack(event.provider_guid);
    pack(event.event_source);
    pack(event.id);
    pack(event.qualifiers);
    pack(event.version);
    pack(event.level);
    pack(event.opcode);
    pack(event.task);
    pack(event.keywords);
    pack(event.time);
    pack(event.activity);
    pack(event.related_activity);
    pack(event.process_id);
    pack(event.thread_id);
    pack(event.processor);
    pack(event.session);
    pack(event.kernel_time);
    pack(event.user_time);
    pack(event.processor_time);
    pack(event.channel);
    pack(event.computer);
    pack(event.user_sid);
    pack(event.payload);
    pack(event.payload_name);
}

template <typename It, typename Pack>
void field_members(It& field, Pack& pack) {
    pack(field.name);
    pack(field.depth);
    pack(field.is_structure);
    pack(field.value.type);
    pack(field.value.is_array);
    pack(field.value.data);
}

} // namespace

void pack(std::string& to, const Event& event) {
    const std::size_t begin = to.size();
    Packer packer(to);
    packer(Length{0});
    members(event, packer);
    packer(static_cast<Length>(event.fields.size()));
    for (const Field& field : event.fields) {
        field_members(field, packer);
    }
    const auto size = static_cast<Length>(to.size() - begin - sizeof(Length));
    std::memcpy(to.data() + begin, &size, sizeof size);
}

Result<void> PackedEvents::add(std::string_view packed) {
    Unpacker unpacker(packed);
    members(event_, unpacker);
    Length count = 0;
    unpacker(count);
    for (Length i = 0; i < count && !unpacker.failed(); ++i) {
        if (i == fields_.size()) {
            fields_.emplace_back();
        }
        field_members(fields_[i], unpacker);
    }
    if (unpacker.failed()) {
        return fail(ErrorCode::malformed, "packed event");
    }
    event_.fields = std::span<const Field>(fields_).first(count);
    const auto added = writer_.add(event_);
    if (added || added.error().code == ErrorCode::io_failure) {
        return added;
    }
    if (writer_.is_full()) {
        ++after_end_;
    } else {
        ++refused_;
    }
    return {};
}

Result<void> PackedEvents::write(std::string_view bytes) {
    if (!pending_.empty()) {
        pending_ += bytes;
        bytes = pending_;
    }
    while (bytes.size() >= sizeof(Length)) {
        Length size = 0;
        std::memcpy(&size, bytes.data(), sizeof size);
        if (bytes.size() - sizeof size < size) {
            break;
        }
        if (const auto added = add(bytes.substr(sizeof size, size)); !added) {
            return added;
        }
        bytes.remove_prefix(sizeof size + size);
    }
    pending_ = std::string(bytes);
    return {};
}

} // namespace etl::evtx
