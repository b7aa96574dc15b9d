// All public headers of the library, except etl/format.hpp: decoded events of Windows event traces.
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
// Each header can be included by itself:
//
// - trace.hpp, event.hpp, field.hpp: reading files and live sessions (docs/reading.md)
// - table.hpp: `etl cpu` and the other tables; packets, flows, pcapng (docs/analysis.md)
// - explorer.hpp: questions about moments of opened traces (docs/explore.md)
// - schema.hpp: what schema files say about events (docs/schemas.md)
// - writer.hpp: a trace file with the program's own records (docs/writing.md)
// - relog.hpp: changed copies of traces; rewrite.hpp: merge, split, repair, and anonymize in one
//   call each (docs/relogging.md)
// - provider.hpp: events of the program (docs/providers.md)
// - session.hpp: sessions of the program (docs/sessions.md)
// - machine.hpp: sessions of the machine (docs/machine-sessions.md)
//
// and what they need: bytes.hpp, byte_writer.hpp, error.hpp, field_types.hpp, guid.hpp,
// log_file.hpp, owned.hpp, questions.hpp, record.hpp, time.hpp, wire.hpp.
//
// The library never prints, throws only std::bad_alloc, and has no global state. What is stable:
// docs/install.md#stability. tests/tutorial and examples compile these lines.
#pragma once

#include <etl/bytes.hpp>
#include <etl/error.hpp>
#include <etl/event.hpp>
#include <etl/explorer.hpp>
#include <etl/field.hpp>
#include <etl/guid.hpp>
#include <etl/log_file.hpp>
#include <etl/machine.hpp>
#include <etl/provider.hpp>
#include <etl/questions.hpp>
#include <etl/record.hpp>
#include <etl/relog.hpp>
#include <etl/rewrite.hpp>
#include <etl/schema.hpp>
#include <etl/session.hpp>
#include <etl/table.hpp>
#include <etl/time.hpp>
#include <etl/trace.hpp>
#include <etl/writer.hpp>
