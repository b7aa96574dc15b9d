// The state of a Dumper. Private to dumper.
#pragma once

#include "dumper/cells/names.hpp"
#include "dumper/cells/requests.hpp"
#include "dumper/cells/subject.hpp"
#include "dumper/cells/values.hpp"
#include "dumper/dumper.hpp"
#include "dumper/field_texts.hpp"
#include "dumper/stacks.hpp"
#include "dumper/survey.hpp"
#include "facts/attributor.hpp"

#include <map>
#include <optional>
#include <string>

namespace etl::dumper {

/// State between the events of one trace.
struct TraceState {
    Requests file_requests, disk_requests;
    Disks disks;
    Switches switches;
};

struct Dumper::State {
    State(const Options& how, const Survey& all)
        : options(how), selection(options), survey(all.state_.get()),
          decoder(how.schemas, {.pointer_size = how.pointer_size}), names(how),
          attributor(how.facts, how.schemas, {.pointer_size = how.pointer_size}) {}

    void add(const flow::Event& event, std::string& to);
    void forget(const flow::Event& event, std::optional<std::uint16_t> hook);
    Subject subject_of(const decode::DecodedEvent& event, const Line& line);
    void apply(const decode::DecodedEvent& event, const Line& line, Subject& subject);
    void apply_disk(const Line& line, TraceState& state, Subject& subject, std::int64_t time);
    std::optional<std::uint64_t> number(const Line& line, std::string_view field) const;

    void print(const decode::DecodedEvent& event, const Line& line, const Subject& subject,
               std::string& to);
    void print_columns(const decode::DecodedEvent& event, const Line& line, const Subject& subject,
                       std::uint8_t kind, std::string& to);
    void print_thread(std::uint32_t thread, std::string& to);
    void print_raw(const flow::Event& event, std::string& to);
    void print_counters(const decode::DecodedEvent& event, const Subject& subject, std::string& to);
    void print_stack(const decode::DecodedEvent& event, const Subject& subject, std::string& to);
    void print_frames(const StackFrames& part, const Subject& subject, const flow::Event& event,
                      bool is_interrupted_part, std::string& to);
    void begin_line(std::string_view name, const flow::Event& event, std::string& to) const;

    Options options;
    Selection selection;
    const Survey::State* survey;
    decode::Decoder decoder;
    Lines lines;
    Values values;
    FieldTexts texts;
    Names names;
    Stacks stacks;
    facts::Attributor attributor;
    std::map<std::uint32_t, TraceState> traces; // by file
    std::string cell, fields;                   // of the event at hand
};

} // namespace etl::dumper
