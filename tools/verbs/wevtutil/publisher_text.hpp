// A provider as `wevtutil gp` describes it.
#pragma once

#include "authoring/provider_events.hpp"

#include <string>

namespace cli {

enum class PublisherFormat : unsigned char { text, xml };

struct PublisherOptions {
    PublisherFormat format = PublisherFormat::text;
    bool events = false;   // list the events
    bool messages = false; // show texts instead of leaving them out
};

/// Values that only an installed provider has, such as help links, are left out.
std::string describe_publisher(const etl::authoring::ProviderEvents& provider,
                               const PublisherOptions& options);

} // namespace cli
