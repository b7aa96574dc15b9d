// The main header of the library: decoded events of Windows event traces.
//
//     auto trace = etl::Trace::open("trace.etl");
//     if (!trace) {
//         return std::puts(etl::describe(trace.error()).c_str());
//     }
//     for (const etl::Event& event : *trace) { // valid until the next step of the loop
//         std::printf("%s\n", std::string(event.name()).c_str());
//         for (const etl::Field& field : event.fields()) {
//             std::printf("  %s\n", field.text().c_str());
//         }
//     }
//     if (const etl::Error* error = trace->error()) { ... } // after the loop
//
// Trace, Event, and Field are the room `view` (docs/reading.md): options for schemas, filters,
// time windows, and several traces; single fields as numbers, times, and texts; messages, JSON,
// processes, and stacks; saving a filtered trace; live sessions.
//
// To trace the program itself (docs/trace-your-own-program.md):
//
//     etl::session::Runtime runtime;
//     auto registration = runtime.add(shop); // a provider::Provider
//     auto session = runtime.start({.name = "Sales", .file = "sales.etl"});
//     registration->write(sold, "croissant", 3); // a provider::StaticEvent
//
// `view` combines the rooms below; a program can also use them individually.
//
// Stored records, without schemas:
//
//     auto file = etl::io::InputFile::map("trace.etl");
//     auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
//     etl::flow::EventCursor events(**reader);
//     while (const etl::flow::Event* event = events.next()) { // valid until the next call
//         const etl::flow::EventHeader header = etl::flow::read_header(*event);
//         std::printf("%s %u\n", etl::to_string(header.provider).c_str(), header.id);
//     }
//     if (const etl::Error* error = (*reader)->error()) { ... } // after the loop
//
// Schemas and values, step by step:
//
//     etl::decode::Harvest harvest; // what the trace says about its own events
//     (*reader)->for_each_buffer(1, [&](auto, auto&, etl::flow::Run run) { harvest.add(run); });
//     auto store = std::make_shared<etl::schema::SchemaStore>();
//     harvest.finish(*store); // catalog::Catalog loads manifests; gather::schemas_of does both
//     store->freeze();
//     etl::decode::Decoder decoder(store);
//     const etl::decode::DecodedEvent& decoded = decoder.decode(*event); // its name: kind->event
//     etl::decode::FieldWalker walker; // the fields; see decode/field_walker.hpp
//     walker.start(decoded.kind->plan, decoded.body);
//
// Text for entire traces: flow::run(source, sink::JsonLines({.schemas = store}), output).
//
// Tables of processor time, waits, I/O, and others: analysis::run (docs/analysis.md).
//
// Writing a trace file with the program's own records (docs/writing.md):
//
//     auto writer = etl::trace::Writer::create("out.etl");
//     auto added = (*writer)->add(
//         etl::format::EventRecord{.time = etl::trace::now().ticks, .descriptor = {.id = 1},
//         .payload = bytes});
//     auto copied = (*writer)->add(*event); // a record as it is
//     auto closed = (*writer)->close();     // before it the file is not finalized, yet readable
//
// Editing records between a source and a writer: relog::EditedSource (docs/relogging.md).
//
// The library never prints, throws only std::bad_alloc, and has no global state.
// tests/tutorial/tutorial.cpp and examples/short compile these lines.
#pragma once

#include <etl/provider.hpp>
#include <etl/session.hpp>

#include "analysis/pass.hpp"
#include "analysis/tables.hpp"
#include "anonymize/anonymize.hpp"
#include "catalog/catalog.hpp"
#include "decode/coverage.hpp"
#include "decode/decoder.hpp"
#include "decode/harvest.hpp"
#include "flow/filters.hpp"
#include "flow/mux.hpp"
#include "flow/pipeline.hpp"
#include "gather/facts.hpp"
#include "gather/schemas.hpp"
#include "gather/stream_schemas.hpp"
#include "gather/trace_index.hpp"
#include "io/input_file.hpp"
#include "relog/context_filter.hpp"
#include "relog/edit.hpp"
#include "rewrite/rewrite.hpp"
#include "sink/csv.hpp"
#include "sink/event_kinds.hpp"
#include "sink/json.hpp"
#include "sink/text.hpp"
#include "trace/copy.hpp"
#include "trace/inputs.hpp"
#include "trace/parts.hpp"
#include "trace/reader.hpp"
#include "trace/repack.hpp"
#include "trace/stream.hpp"
#include "trace/summary.hpp"
#include "trace/window_reader.hpp"
#include "trace/writer.hpp"
#include "view/trace.hpp"
