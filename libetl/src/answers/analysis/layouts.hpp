// Places of fields in payloads, found once per layout. Private to analysis.
#pragma once

#include "analysis/analyzer.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace etl::analysis {

/// Returns the places of fields in the payloads of a kind of event, as Layouts::places().
std::vector<FieldPlace> places_of(const decode::EventKind& kind,
                                  const std::vector<std::string_view>& wanted);

/// The layouts of the events of one hook, or of one ID of a provider.
class Layouts {
public:
    /// How well the schemas describe the version of an event.
    enum class Fit : std::uint8_t { described, older, unknown };

    explicit Layouts(std::vector<std::string_view> fields) : fields_(std::move(fields)) {}

    /// Returns the places of the fields in the payload of an event: those before a field of
    /// variable size, and that field itself. Decodes only the first event of a layout, and those of
    /// versions that are not described. `record` must have the header of the event.
    const FieldPlace* places(const Record& record, decode::Decoder& decoder) {
        if (last_ == nullptr || !last_->is_of(record)) [[unlikely]] {
            last_ = &find(record, decoder);
        }
        return last_->places.data();
    }

    /// Returns whether the fields of the event whose places were returned last can be read. Without
    /// it, the values that a short payload lacks would be 0.
    bool can_read(const Record& record) const noexcept {
        return last_->fit != Fit::unknown && record.payload.size() >= last_->least_size;
    }

    /// Returns whether that event can be read, with the layout of its own version.
    bool describes(const Record& record) const noexcept {
        return last_->fit == Fit::described && can_read(record);
    }

    /// Returns how the event whose places were returned last is described.
    Fit fit() const noexcept { return last_->fit; }

    /// Returns the version of the layout of that event. Valid for Fit::older.
    std::uint8_t layout_version() const noexcept { return last_->layout_version; }

    /// Returns the pointer size of the payload of the event whose places were returned last; that
    /// of its header can be wrong.
    std::uint8_t pointer_size() const noexcept { return last_->payload_pointer_size; }

private:
    struct Layout {
        std::uint8_t version = 0, pointer_size = 0; // of the header; 0: of one event
        std::uint8_t payload_pointer_size = 0;
        std::vector<FieldPlace> places;
        std::size_t least_size = 0; // of a payload that has all fields of `places`
        Fit fit = Fit::described;
        std::uint8_t layout_version = 0;
        std::optional<std::size_t> size; // of the payload, if another one may be of another layout

        bool is_of(const Record& record) const noexcept {
            return version == record.version && pointer_size == record.pointer_size &&
                   (!size || *size == record.payload.size());
        }
    };

    const Layout& find(const Record& record, decode::Decoder& decoder);

    std::vector<std::string_view> fields_;
    std::vector<std::unique_ptr<Layout>> layouts_; // by version, pointer size, size of the payload
    std::unique_ptr<Layout> passing_;              // of one event, or null
    const Layout* last_ = nullptr;
};

} // namespace etl::analysis
