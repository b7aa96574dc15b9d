// Names of threads and processes as text. Private to profiles.
#pragma once

#include "analysis/activity.hpp"
#include "base/text.hpp"

#include <string>

namespace etl::profiles {

/// `kettle.exe`; `process 100` if its name is unknown; `unknown process`.
inline std::string process_name(const analysis::Owner& owner) {
    if (owner.name) {
        return *owner.name;
    }
    return owner.pid ? "process " + std::to_string(*owner.pid) : std::string("unknown process");
}

/// `kettle.exe (100) thread 104 main`; `DPC`.
inline std::string thread_title(const analysis::ActivityContext& context, analysis::ThreadRow row) {
    const analysis::ActivityThread& thread = (*context.threads)[row];
    const analysis::Owner& owner = context.owner_of(thread);
    std::string title = process_name(owner);
    if (owner.pid && owner.name) {
        title += " (" + std::to_string(*owner.pid) + ")";
    }
    if (thread.id) {
        title += " thread " + std::to_string(*thread.id);
    }
    if (!thread.name.empty()) {
        title += ' ' + thread.name;
    }
    return title;
}

} // namespace etl::profiles
