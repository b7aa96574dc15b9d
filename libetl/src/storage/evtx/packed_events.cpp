#include "evtx/packed_events.hpp"

#include "base/layout.hpp"
#include "base/text.hpp"
#include "evtx/chunk_writer.hpp"
#include "evtx/limits.hpp"

#include <array>
#include <cstring>
#include <type_traits>
#include <unordered_map>

namespace etl::evtx {

namespace {

using Length = std::uint32_t;

static_assert(std::is_trivially_copyable_v<EventProperties>);

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

    void operator()(std::string_view& text) {
        Length size = 0;
        (*this)(size);
        text = take(size);
    }

    void operator()(std::string& text) {
        std::string_view view;
        (*this)(view);
        text = view;
    }

    void operator()(Bytes& bytes) {
        std::string_view view;
        (*this)(view);
        bytes = std::as_bytes(std::span(view));
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

/// The members of the shape, for both directions.
template <typename It, typename Pack>
void members(It& event, Pack& pack) {
    pack(event.provider);
    // Not the optional: bytes that nobody has set would differ.
    pack(event.event_source);
    pack(event.channel);
    pack(event.computer);
    pack(event.payload);
    pack(event.payload_name);
}

template <typename It, typename Pack>
void field_members(It& field, Pack& pack) {
    pack(field.name);
    pack(field.depth);
    pack(field.is_structure);
    pack(field.is_attribute);
    pack(field.is_literal);
    pack(field.value.type);
    pack(field.value.is_array);
}

bool has_data(const Field& field) noexcept {
    return !field.is_structure && !field.is_literal;
}

std::uint64_t hash_of(std::string_view text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325ULL; // FNV-1a
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
    }
    return hash;
}

} // namespace

Shape shape_of(const Event& event) {
    Shape shape;
    Packer packer(shape.packed);
    members(event, packer);
    packer(event.provider_guid.has_value());
    packer(event.provider_guid.value_or(Guid{}));
    packer(static_cast<Length>(event.fields.size()));
    for (const Field& field : event.fields) {
        field_members(field, packer);
        packer(field.is_literal ? field.value.data : Bytes{});
    }
    shape.hash = hash_of(shape.packed);
    return shape;
}

void pack(std::string& to, const Event& event, const Shape& shape) {
    const std::size_t begin = to.size();
    Packer packer(to);
    packer(Length{0});
    packer(shape.hash);
    packer(shape.packed);
    packer(static_cast<const EventProperties&>(event));
    packer(event.user_sid);
    for (const Field& field : event.fields) {
        if (has_data(field)) {
            packer(field.value.data);
        }
    }
    const auto size = static_cast<Length>(to.size() - begin - sizeof(Length));
    std::memcpy(to.data() + begin, &size, sizeof size);
}

void pack(std::string& to, const Event& event) {
    pack(to, event, shape_of(event));
}

/// The events that were made of shapes, of which the values change.
class PackedEvents::Shapes {
public:
    struct Known {
        std::string shape;
        Event event;
        std::vector<Field> fields;
        KnownTemplates templates;
    };

    /// Null: malformed.
    Known* find(std::uint64_t hash, std::string_view shape) {
        if (last_ != nullptr && last_->shape == shape) {
            return last_;
        }
        if (bytes_ > limits::known_shape_bytes) {
            known_.clear();
            bytes_ = 0;
        }
        Known& known = known_[hash];
        last_ = known.shape == shape || make(known, shape) ? &known : nullptr;
        return last_;
    }

private:
    /// Data of literals are in the copy of the shape that is kept.
    bool make(Known& known, std::string_view shape) {
        known = {.shape = std::string(shape)};
        Unpacker unpacker(known.shape);
        members(known.event, unpacker);
        bool has_guid = false;
        Guid guid;
        unpacker(has_guid);
        unpacker(guid);
        known.event.provider_guid = has_guid ? std::optional(guid) : std::nullopt;
        Length count = 0;
        unpacker(count);
        for (Length i = 0; i < count && !unpacker.failed(); ++i) {
            Field& field = known.fields.emplace_back();
            field_members(field, unpacker);
            unpacker(field.value.data);
        }
        known.event.fields = known.fields;
        bytes_ += sizeof(Known) + 2 * shape.size() + known.fields.size() * sizeof(Field);
        return !unpacker.failed();
    }

    std::unordered_map<std::uint64_t, Known> known_; // by hash
    Known* last_ = nullptr;
    std::size_t bytes_ = 0;
};

PackedEvents::PackedEvents(Output& to, const WriterOptions& options)
    : writer_(to, options), shapes_(std::make_unique<Shapes>()) {}

PackedEvents::~PackedEvents() = default;

Result<void> PackedEvents::add(std::string_view packed) {
    Unpacker unpacker(packed);
    std::uint64_t hash = 0;
    std::string_view shape;
    unpacker(hash);
    unpacker(shape);
    Shapes::Known* const known = unpacker.failed() ? nullptr : shapes_->find(hash, shape);
    if (known == nullptr) {
        return fail(ErrorCode::malformed, "shape of a packed event");
    }
    unpacker(static_cast<EventProperties&>(known->event));
    unpacker(known->event.user_sid);
    for (Field& field : known->fields) {
        if (has_data(field)) {
            unpacker(field.value.data);
        }
    }
    if (unpacker.failed()) {
        return fail(ErrorCode::malformed, "packed event");
    }
    const auto added = writer_.add(known->event, known->templates);
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
