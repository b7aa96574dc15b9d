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
// Trace, Event, and Field are the module `view` (docs/reading.md): options for schemas, filters,
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
// `view` combines the modules below; a program can also use them individually.
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

#include <etl/analysis/pass.hpp>
#include <etl/analysis/tables.hpp>
#include <etl/anonymize/anonymize.hpp>
#include <etl/catalog/catalog.hpp>
#include <etl/decode/coverage.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/flow/filters.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/gather/facts.hpp>
#include <etl/gather/schemas.hpp>
#include <etl/gather/stream_schemas.hpp>
#include <etl/gather/trace_index.hpp>
#include <etl/io/input_file.hpp>
#include <etl/machine/controller.hpp>
#include <etl/machine/host.hpp>
#include <etl/provider/manifest_event.hpp>
#include <etl/provider/self_describing.hpp>
#include <etl/provider/static_event.hpp>
#include <etl/relog/context_filter.hpp>
#include <etl/relog/edit.hpp>
#include <etl/session/activity.hpp>
#include <etl/session/attachment.hpp>
#include <etl/session/consume.hpp>
#include <etl/session/listing.hpp>
#include <etl/session/runtime.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/event_kinds.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>
#include <etl/trace/copy.hpp>
#include <etl/trace/inputs.hpp>
#include <etl/trace/parts.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/repack.hpp>
#include <etl/trace/stream.hpp>
#include <etl/trace/summary.hpp>
#include <etl/trace/window_reader.hpp>
#include <etl/trace/writer.hpp>
#include <etl/view/trace.hpp>
