#include "machine/protocol/opened_files.hpp"

#include "io/find_files.hpp"
#include "session/control/start_checks.hpp"

#include <utility>

namespace etl::machine {

std::string absolute(const std::string& file) {
    return file.empty() ? file : io::full_path(file);
}

bool needs_file(const Request& request, std::uint32_t mode) {
    if (request.verb == Verb::start) { // one that is refused anyway creates no file
        return !request.options.file.empty() && session::check_start(request.options, {});
    }
    if (request.verb == Verb::update) {
        return !request.update.file.empty();
    }
    const bool writes_memory = (request.verb == Verb::flush || request.verb == Verb::stop) &&
                               (mode & session::mode::buffering) != 0;
    return writes_memory && !request.file.empty();
}

OpenedFile OpenedFile::open(const std::string& path, bool is_series) {
    OpenedFile file;
    file.path_ = path;
    const auto opened = is_series ? io::open_directory_to_pass(path) : io::open_file_to_pass(path);
    if (!opened) {
        file.passing_ = Passing::failure;
        file.error_ = opened.error();
        return file;
    }
    file.descriptor_ = host::Descriptor(opened->descriptor);
    file.passing_ = is_series        ? Passing::directory
                    : opened->is_new ? Passing::new_file
                                     : Passing::file;
    return file;
}

void OpenedFile::describe_in(Request& request) const {
    request.passing = passing_;
    request.passing_error = error_.code;
    request.passing_os_code = error_.os_code;
}

void OpenedFile::remove_if_new() {
    descriptor_.close(); // the host may have locked it
    if (passing_ != Passing::new_file) {
        return;
    }
    if (const auto unused = io::disk().open(path_, io::FileFactory::Open::existing)) {
        static_cast<void>(io::disk().remove(path_));
    }
}

void add_passed(io::PassedFiles& to, const std::string& path, const Request& request,
                host::Descriptor descriptor) {
    if (request.passing == Passing::failure) {
        to.add_failure(
            path,
            {.code = request.passing_error, .what = "create", .os_code = request.passing_os_code});
    } else if (descriptor && request.passing == Passing::directory) {
        to.add_directory_of(path, descriptor.number());
        descriptor.release();
    } else if (descriptor && request.passing != Passing::nothing) {
        to.add_file(path, {.descriptor = descriptor.number(),
                           .is_new = request.passing == Passing::new_file});
        descriptor.release(); // taken, for there was memory
    }
}

} // namespace etl::machine
