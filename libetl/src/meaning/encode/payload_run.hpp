// Encodes one payload after another into memory of its own. Private to encode.
#pragma once

#include "encode/members.hpp"
#include "encode/payload.hpp"
#include "encode/special_bytes.hpp"
#include "encode/value_bytes.hpp"

#include <vector>

namespace etl::encode {

/// A walk over a layout; what is wrong is static text, and the path to it is put together on the
/// way back.
class PayloadEncoder::Run {
public:
    Run();

    std::expected<void, Mismatch> encode(const Layout& layout, std::span<const InputValue> data,
                                         PayloadOptions::Missing missing);

    Bytes payload() const noexcept {
        return {memory_.data(), static_cast<std::size_t>(at_ - memory_.data())};
    }

private:
    using Problem = const char*; // null: none

    static constexpr std::size_t longest_count = 0xFFFF; // that a prefix of two bytes can tell

    /// A number that other fields refer to.
    struct Slot {
        std::uint32_t field = 0;
        std::byte* at = nullptr; // where it lies; null: nowhere yet
        bool is_open = false;    // it was not given: the first field that refers to it tells it
    };

    /// Fields of one structure, or of the whole event.
    struct Scope {
        std::size_t first;
        std::size_t end;
    };

    Problem scope(Scope scope, std::span<const InputValue> data);
    Problem field(std::size_t index, std::span<const InputValue> given);
    Problem missing(std::size_t index, const Members& members);
    Problem left_over(Scope scope, const Members& members);
    Problem open_slots();

    Problem array(std::size_t index, std::span<const InputValue> given);
    Problem element(std::size_t index, std::span<const InputValue> given);
    Problem structure(std::size_t index, std::span<const InputValue> given);
    Problem value(const LayoutField& field, const InputValue& given);
    bool has_length(const LayoutField& field) const noexcept;
    Problem sized(const LayoutField& field, const InputValue& given);
    Problem terminated(const LayoutField& field, const InputValue& given);
    Problem counted(const LayoutField& field, const InputValue& given);
    Problem wbem_sid(const LayoutField& field, const InputValue& given);
    Problem ends_at(Put put);

    Problem remember(std::size_t index, bool is_open);
    std::uint64_t slot_value(const Slot& slot) const noexcept;
    Problem tell(std::uint32_t slot, std::uint64_t value, Problem otherwise);
    Problem take_count(const LayoutField& field, std::size_t count);

    std::size_t next(std::size_t index) const noexcept {
        return index + 1 + (*fields_)[index].members;
    }

    Problem in_path(std::string_view name, Problem problem);

    std::vector<std::byte> memory_; // a whole payload, and one value more
    std::vector<Slot> slots_;
    std::string path_; // of what is wrong
    const std::vector<LayoutField>* fields_ = nullptr;
    std::byte* at_ = nullptr;
    bool may_end_ = false; // where a field is not given
    bool has_ended_ = false;
    unsigned arrays_ = 0; // that are open
};

} // namespace etl::encode
