// Events of a C++ program: providers, and the three ways to describe an event (docs/providers.md).
// What `etl schema header` writes includes this header alone.
#pragma once

#include "provider/manifest_event.hpp"
#include "provider/self_describing.hpp"
#include "provider/static_event.hpp"
