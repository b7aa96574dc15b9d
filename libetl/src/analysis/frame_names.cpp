#include <etl/analysis/frame_names.hpp>
#include <etl/base/text.hpp>

namespace etl::analysis {

FrameName ImageNames::name(std::uint32_t process, std::uint64_t address, Frame frame,
                           std::int64_t time) const {
    // A call can be the last instruction of an image.
    const std::uint64_t inside =
        frame == Frame::return_address && address > 0 ? address - 1 : address;
    const auto image = facts_->image(process, inside, time);
    FrameName name;
    if (image) {
        name.module = image->name();
        name.function = name.module + '!';
        append_hex(name.function, address - image->base);
    } else {
        append_hex(name.function, address);
    }
    return name;
}

} // namespace etl::analysis
