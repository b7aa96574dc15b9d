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
//     trace.hpp      Trace: opens files and live sessions, saves filtered events   docs/reading.md
//     event.hpp      Event: header, names, message, JSON, process, stack
//     field.hpp      Field: values, arrays, structures
//     table.hpp      Table: `etl cpu` and the others; packets, flows, pcapng       docs/analysis.md
//     schema.hpp     what schema files say about events                            docs/schemas.md
//     writer.hpp     Writer: a trace file with the program's own records           docs/writing.md
//     relog.hpp      Draft and Output, for Trace::relog docs/relogging.md rewrite.hpp    merge,
//     split, repair, anonymize in one call each provider.hpp   Provider, and the three ways to
//     describe an event             docs/providers.md session.hpp    Runtime, Session,
//     Registration: tracing the program itself    docs/sessions.md machine.hpp    sessions of the
//     machine            docs/machine-sessions.md
//
// and what they need: bytes.hpp, byte_writer.hpp, diagnostic.hpp, error.hpp, field_types.hpp,
// guid.hpp, log_file.hpp, owned.hpp, record.hpp, time.hpp, wire.hpp.
//
// The library never prints, throws only std::bad_alloc, and has no global state. What is stable:
// docs/install.md#stability. tests/tutorial and examples compile these lines.
#pragma once

#include <etl/bytes.hpp>
#include <etl/diagnostic.hpp>
#include <etl/error.hpp>
#include <etl/event.hpp>
#include <etl/field.hpp>
#include <etl/guid.hpp>
#include <etl/log_file.hpp>
#include <etl/machine.hpp>
#include <etl/provider.hpp>
#include <etl/record.hpp>
#include <etl/relog.hpp>
#include <etl/rewrite.hpp>
#include <etl/schema.hpp>
#include <etl/session.hpp>
#include <etl/table.hpp>
#include <etl/time.hpp>
#include <etl/trace.hpp>
#include <etl/writer.hpp>
