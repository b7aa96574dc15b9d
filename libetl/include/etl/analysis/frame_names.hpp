// Names for addresses of code: the interface, and its implementation by the images of a trace.
// docs/analysis.md#cpu
#pragma once

#include <etl/facts/facts.hpp>

#include <string>

namespace etl::analysis {

/// The name of an address.
struct FrameName {
    std::string module;   // empty: no image is known
    std::string function; // `module!0x1234`, or `0x7ff...`
};

/// Names addresses. Not thread-safe.
class FrameNames {
public:
    /// What an address is.
    enum class Frame : std::uint8_t {
        instruction, // that was interrupted, or the start of a routine
        return_address,
    };

    FrameNames() = default;
    FrameNames(const FrameNames&) = delete;
    FrameNames& operator=(const FrameNames&) = delete;
    virtual ~FrameNames() = default;

    /// Returns the name of an address in a process (0: the kernel only) at a raw time.
    virtual FrameName name(std::uint32_t process, std::uint64_t address, Frame frame,
                           std::int64_t time) const = 0;
};

/// Names by images: `module!0x` and the offset in the image.
class ImageNames final : public FrameNames {
public:
    /// `facts` must outlive it.
    explicit ImageNames(const facts::Facts& facts) : facts_(&facts) {}

    FrameName name(std::uint32_t process, std::uint64_t address, Frame frame,
                   std::int64_t time) const override;

private:
    const facts::Facts* facts_;
};

} // namespace etl::analysis
