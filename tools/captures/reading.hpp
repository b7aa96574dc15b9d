// How captures are opened. Private to captures.
#pragma once

#include "captures/capture.hpp"

namespace cli {

/// The filters without --skip and --limit, which count packets here.
FilterOptions capture_filters(const CaptureOptions& options);

/// Files, or a stream that is copied to one: they are read twice, the survey, and the packets.
ExitCode read_files(const CaptureOptions& options, UseCapture use);

} // namespace cli
