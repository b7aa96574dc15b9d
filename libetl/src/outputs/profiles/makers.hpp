// The writers of the formats. Private to profiles.
#pragma once

#include "profiles/profile.hpp"

namespace etl::profiles {

std::unique_ptr<ProfileWriter> make_pprof(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_speedscope(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_chrome(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_firefox(Output& output, ProfileOptions options);
std::unique_ptr<ProfileWriter> make_perfetto(Output& output, ProfileOptions options);

} // namespace etl::profiles
