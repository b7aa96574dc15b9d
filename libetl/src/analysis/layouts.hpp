// Places of fields in payloads, found once per layout. Private to analysis.
#pragma once

#include <etl/analysis/analyzer.hpp>

#include <memory>
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
    /// versions that are not described.
    const FieldPlace* places(const flow::Event& event, std::uint8_t version,
                             std::uint8_t pointer_size, decode::Decoder& decoder) {
        if (last_ != nullptr && last_->version == version && last_->pointer_size == pointer_size)
            [[likely]] {
            return last_->places.data();
        }
        last_ = &find(event, version, pointer_size, decoder);
        return last_->places.data();
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
        std::uint8_t version = 0, pointer_size = 0;
        std::uint8_t payload_pointer_size = 0;
        std::vector<FieldPlace> places;
        Fit fit = Fit::described;
        std::uint8_t layout_version = 0;
    };

    const Layout& find(const flow::Event& event, std::uint8_t version, std::uint8_t pointer_size,
                       decode::Decoder& decoder);

    std::vector<std::string_view> fields_;
    std::vector<std::unique_ptr<Layout>> layouts_; // at most as many as versions and sizes
    std::unique_ptr<Layout> passing_;              // of one event; no event has its pointer size
    const Layout* last_ = nullptr;
};

} // namespace etl::analysis
