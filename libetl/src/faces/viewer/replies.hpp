// Answers as JSON for a page. Private to viewer.
#pragma once

#include "viewer/command.hpp"
#include "viewer/service.hpp"

#include <string>
#include <vector>

namespace etl::viewer {

/// A list of texts of files or the system.
std::string lines_json(const std::vector<std::string>& lines);

/// `{"error", "about"}`.
Reply refused(Status status, const std::string& what, const std::string& about);
Reply refused(const TraceError& error);

/// A complete JSON value; integers that scripts would round become texts.
Reply reply_of(std::string json);

/// Whether the events behind a row can be listed.
enum class RowEvents : bool { unknown, known };

std::string table_json(const explore::Answer& answer, const analysis::TableForm& form,
                       const std::string& command, RowEvents events);

/// A table of no form; `command`: empty, if no verb prints it.
std::string table_json(const explore::Answer& answer, const std::string& command = {});

std::string events_json(const explore::Answer& answer, const std::string& command);

/// Whether the header and the payload of an event are part of it.
enum class EventBytes : bool { hidden, shown };

std::string event_json(const explore::EventAnswer& answer, const std::string& command,
                       EventBytes bytes);

/// A tree of stacks as the scripts of flame graphs read it.
std::string flame_json(const explore::Answer& answer, const Request& request,
                       const std::string& command);

} // namespace etl::viewer
