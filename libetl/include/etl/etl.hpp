// libetl's front door: the events of Windows event trace logs, decoded.
//
//     auto file = etl::io::InputFile::map("trace.etl");
//     auto reader = file ? etl::trace::Reader::open(*file) : std::unexpected(file.error());
//     if (!reader) {
//         return std::puts(etl::describe(reader.error()).c_str());
//     }
//     etl::flow::EventCursor events(**reader);
//     while (const etl::flow::Event* event = events.next()) { // valid until the next call
//         const etl::flow::EventHeader header = etl::flow::read_header(*event);
//         std::printf("%s %u\n", etl::to_string(header.provider).c_str(), header.id);
//     }
//     if (const etl::Error* error = (*reader)->error()) { ... } // asked once, after the loop
//
// Decoded values, instead of headers alone: collect the schemas, then ask a decoder.
//
//     etl::decode::Harvest harvest; // what the trace says about its own events
//     (*reader)->for_each_buffer(1, [&](auto, auto&, etl::flow::Run run) { harvest.add(run); });
//     auto store = std::make_shared<etl::schema::SchemaStore>();
//     harvest.finish(*store); // or catalog::Catalog, for manifests in files
//     store->freeze();
//     etl::decode::Decoder decoder(store);
//     const etl::decode::DecodedEvent& decoded = decoder.decode(*event); // its name: kind->event
//     etl::decode::FieldWalker walker; // the fields; see decode/field_walker.hpp
//     walker.start(decoded.kind->plan, decoded.body);
//
// Or text: flow::run(source, sink::JsonLines({.schemas = store}), output).
//
// Written, instead of read: records of one's own, or the events of a reader (docs/writing.md).
//
//     auto writer = etl::trace::Writer::create("out.etl");
//     if (!writer) {
//         return std::puts(etl::describe(writer.error()).c_str());
//     }
//     auto added = (*writer)->add(
//         etl::format::EventRecord{.time = etl::trace::now().ticks, .descriptor = {.id = 1},
//         .payload = bytes});
//     auto copied = (*writer)->add(*event); // a record as it is
//     auto closed = (*writer)->close();     // before it the file is unfinished, yet readable
//
// Changed on its way from one to the other: relog::EditedSource (docs/relogging.md).
//
// Traced, by the program itself: session::Runtime (docs/trace-your-own-program.md).
//
// The library never prints, throws only std::bad_alloc, and holds no global state. tests/tutorial
// holds these lines to their word.
#pragma once

#include <etl/anonymize/anonymize.hpp>
#include <etl/catalog/catalog.hpp>
#include <etl/decode/coverage.hpp>
#include <etl/decode/decoder.hpp>
#include <etl/decode/harvest.hpp>
#include <etl/flow/filters.hpp>
#include <etl/flow/mux.hpp>
#include <etl/flow/pipeline.hpp>
#include <etl/io/input_file.hpp>
#include <etl/provider/manifest_event.hpp>
#include <etl/provider/self_describing.hpp>
#include <etl/provider/static_event.hpp>
#include <etl/relog/edit.hpp>
#include <etl/relog/keep_context.hpp>
#include <etl/session/activity.hpp>
#include <etl/session/consume.hpp>
#include <etl/session/listing.hpp>
#include <etl/session/runtime.hpp>
#include <etl/sink/csv.hpp>
#include <etl/sink/event_kinds.hpp>
#include <etl/sink/json.hpp>
#include <etl/sink/text.hpp>
#include <etl/trace/copy.hpp>
#include <etl/trace/inputs.hpp>
#include <etl/trace/reader.hpp>
#include <etl/trace/repack.hpp>
#include <etl/trace/stream.hpp>
#include <etl/trace/summary.hpp>
#include <etl/trace/writer.hpp>
