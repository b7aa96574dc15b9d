// The parts of an event's JSON that all events of its kind share, made once. Private to sink.
#pragma once

#include "decode/decoder.hpp"
#include "sink/selection.hpp"

#include <string>
#include <vector>

namespace etl::sink {

struct KindTexts {
    /// `,"name":` of a field, in `names`.
    struct FieldName {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
        bool is_wanted = true;
    };

    std::string identity; // `,"provider":...` up to the keywords
    std::string
        source; // `,"source":"manifest"`, its file, and the place of a WPP message in its source
    std::string wpp; // that place as an object, or empty
    std::string names;
    std::vector<FieldName> fields;
    std::string error;                    // `,"decode_error":...` of the kind itself, or empty
    std::string raw_fields;               // `,"fields":[...]` of TraceLogging events, or empty
    std::vector<std::string> plain_names; // ` name=`, fit for a terminal; if asked for

    std::string_view name_of(std::uint32_t field) const noexcept {
        return std::string_view(names).substr(fields[field].begin, fields[field].size);
    }
};

/// The texts of the kinds of one decoder.
class KindTextCache {
public:
    struct Extras {
        bool raw_fields = false;
        bool plain_names = false;
    };

    KindTextCache(const Selection& selection, Extras extras)
        : selection_(selection), extras_(extras) {}

    const KindTexts& of(const decode::DecodedEvent& event, std::uint32_t generation) {
        const std::uint32_t number = event.kind->number;
        if (generation == generation_ && number < texts_.size() && texts_[number]) [[likely]] {
            return *texts_[number];
        }
        return make(event, generation);
    }

private:
    const KindTexts& make(const decode::DecodedEvent& event, std::uint32_t generation);

    const Selection& selection_;
    Extras extras_;
    std::uint32_t generation_ = 0;
    std::vector<std::unique_ptr<KindTexts>> texts_; // by number of the kind
};

} // namespace etl::sink
