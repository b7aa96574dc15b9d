// Version resources of executables (RT_VERSION): the build of Windows that a file of Windows is of.
// Pure; thread-safe. docs/format/images.md#version
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>

#include "schema/image.hpp"

#include <array>
#include <cstdint>
#include <string>

namespace etl::schema {

inline constexpr ResourceType version_type{16, {}}; // RT_VERSION

/// What a version resource states. Texts are those of the first language that has them, and empty
/// if none has.
struct VersionResource {
    using Version = std::array<std::uint16_t, 4>; // 10, 0, 22621, 1

    Version file_version{};
    Version product_version{};
    std::string company; // CompanyName
    std::string product; // ProductName
};

/// Parses VS_VERSIONINFO. What follows a damaged part of the texts is ignored. Errors: truncated,
/// malformed (the parts before the texts).
Result<VersionResource> parse_version_resource(Bytes resource);

/// Returns the build of Windows of a file: that of the file version if Microsoft's Windows is the
/// product, of version 6 or 10. 0: another file.
std::uint32_t windows_build(const VersionResource& version) noexcept;

/// The same for an executable: by the first of its version resources that states one.
std::uint32_t windows_build_of_image(Bytes image);

} // namespace etl::schema
