// What keeps a hostile file from ending the program by the memory it asks for. Private to schema.
#pragma once

#include "schema/schema_set.hpp"

#include <expected>
#include <new>
#include <stdexcept>
#include <type_traits>

namespace etl::schema {

/// What `read` gives, a std::expected with FileError; an error when it runs out of memory. For the
/// doors, around all that they do.
template <typename F>
std::invoke_result_t<F> guarded(F read) {
    try {
        return read();
    } catch (const std::bad_alloc&) {
        return std::unexpected(FileError{0, "not enough memory"});
    } catch (const std::length_error&) { // a container's own bound, met first
        return std::unexpected(FileError{0, "not enough memory"});
    }
}

/// The same for scans, whose empty result says that nothing was found.
template <typename F>
std::invoke_result_t<F> guarded_scan(F scan) {
    try {
        return scan();
    } catch (const std::bad_alloc&) {
        return {};
    } catch (const std::length_error&) {
        return {};
    }
}

} // namespace etl::schema
