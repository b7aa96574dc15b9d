// What every header in the form of the message compiler begins with. Private to authoring.
#pragma once

#include <string>
#include <string_view>

namespace etl::authoring {

/// Includes, and how data of the header are defined. Opens `extern "C"`.
std::string_view mc_head() noexcept;

/// Opens MCGEN_DISABLE_PROVIDER_CODE_GENERATION; the macros that programs may define before.
std::string_view mc_overrides() noexcept;

/// The context, the callback, and what registers and writes.
std::string mc_functions();

/// What registers providers with traits.
std::string_view mc_trait_functions() noexcept;

} // namespace etl::authoring
