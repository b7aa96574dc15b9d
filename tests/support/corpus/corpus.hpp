// The sample traces of corpus/, all invented, as code. make_corpus writes them.
#pragma once

#include "io/container.hpp"
#include "tests/support/traces/trace_builder.hpp"

namespace etl::test {

/// A sample and what a reader must find in it.
struct Sample {
    std::string name;  // below corpus/, without the ending
    std::string about; // one sentence
    Image bytes;
    std::uint64_t events = 0;  // the log file header record included
    std::uint64_t buffers = 0; // the header buffer included
    std::uint64_t warnings = 0;
    std::string kinds;    // of record, by name
    std::string damage{}; // one sentence, if any
    std::string ending = ".etl";
    io::Container container = io::Container::none; // of ours, around the trace
};

/// A signal box at work: TraceLogging, an EventSource and a string.
Sample first_steps();

/// Every in and out type of TraceLogging.
Sample tracelogging_types();

/// Every in and out type of manifests; tests/golden/manifest-types/types.man describes the events.
Sample manifest_types();

/// What a merge leaves: an event of a manifest with its TRACE_EVENT_INFO before it.
Sample merged_event_info();

/// Sessions of the kernel logger: one event or more of most classes.
std::vector<Sample> kernel_events();

/// Events that only signal_box_dll() describes.
Sample compiled_manifest();

/// A file that belongs to a sample.
struct Attachment {
    std::string name; // below corpus/
    Image bytes;
};

/// An executable with a provider of every kind of element, and its .mui files.
std::vector<Attachment> signal_box_dll();

/// The program databases of two images of managed_code(), as a directory and as a symbol store.
std::vector<Attachment> managed_code_symbols();

/// WPP messages with every item and notation, which corpus/good/wpp-messages.tmf describes.
Sample wpp_messages();

/// A program database that describes the rest of them.
Attachment wpp_pdb();

/// A kernel session that tells about its machine, for --enrich.
Sample machine_facts();

/// A session that tells about methods and images, for --enrich.
Sample managed_code();

/// A kernel session whose events are about processes, for --process.
Sample process_activity();

/// Sessions of the kernel logger: one event or more of most classes.
std::vector<Sample> kernel_events();

/// What is cut, overwritten or never finished.
std::vector<Sample> damaged();

/// Record kinds, clocks, file modes, compression, damage.
std::vector<Sample> shapes();

/// What a Writer makes: one file or more of each mode and each packing.
std::vector<Sample> written();

} // namespace etl::test
