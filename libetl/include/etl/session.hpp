// Sessions: of this program (docs/trace-your-own-program.md), and of the machine
// (docs/machine-sessions.md).
#pragma once

#include "machine/controller.hpp"
#include "machine/host.hpp"
#include "session/activity.hpp"
#include "session/attachment.hpp"
#include "session/consume.hpp"
#include "session/listing.hpp"
#include "session/runtime.hpp"
