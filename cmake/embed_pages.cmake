# cmake -DPAGES=tools/pages -DOUTPUT=page_files.cpp -P embed_pages.cmake
# Turns the styles and scripts of pages (tools/pages/*.css, *.mjs, and those in its folders) into one source file (tools/pages/page.hpp). Scripts are
# modules for tests and editors. In a page they follow each other: a script becomes a function that returns what it exports,
# and imports are the names of the page.
cmake_minimum_required(VERSION 3.25)
set(digits "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

# SHA-256 in Base64: three hexadecimal digits become two digits, and the last one becomes one and the padding.
function(hash_of text output)
  string(SHA256 hex "${text}")
  set(base64 "")
  foreach(at RANGE 0 60 3)
    string(SUBSTRING "${hex}" ${at} 3 part)
    math(EXPR high "0x${part} >> 6")
    math(EXPR low "0x${part} & 63")
    string(SUBSTRING "${digits}" ${high} 1 first)
    string(SUBSTRING "${digits}" ${low} 1 second)
    string(APPEND base64 "${first}${second}")
  endforeach()
  string(SUBSTRING "${hex}" 63 1 part)
  math(EXPR last "0x${part} << 2")
  string(SUBSTRING "${digits}" ${last} 1 last)
  set(${output} "${base64}${last}=" PARENT_SCOPE)
endfunction()

# A literal of C++, in pieces that every compiler takes.
function(literal_of text output)
  set(literal "")
  string(LENGTH "${text}" left)
  set(at 0)
  while(left GREATER 0)
    string(SUBSTRING "${text}" ${at} 4000 piece)
    string(APPEND literal "\n     R\"~~~(${piece})~~~\"")
    math(EXPR at "${at}+4000")
    math(EXPR left "${left}-4000")
  endwhile()
  set(${output} "${literal}" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE files "${PAGES}/*.css" "${PAGES}/*.mjs")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  file(READ "${file}" text)
  get_filename_component(name "${file}" NAME)
  if(name MATCHES "\\.mjs$")
    string(REGEX REPLACE "(^|\n)import [^\n]* from [^\n]*" "\\1" text "${text}")
    string(REGEX MATCHALL "\nexport (function|class|const) [A-Za-z0-9_]+" exports "${text}")
    list(TRANSFORM exports REPLACE "\n.* " "")
    list(JOIN exports ", " exports)
    string(REGEX REPLACE "\nexport " "\n" text "${text}")
    set(text "\"use strict\";\nconst { ${exports} } = (() => {\n${text}return { ${exports} };\n})();\n")
  endif()
  if(text MATCHES "</(script|style)" OR text MATCHES "\\)~~~\"" OR text MATCHES "\n(import|export) " OR text MATCHES "[^ -~\n]")
    message(FATAL_ERROR "${file}: cannot be embedded: it contains the end of an element, an import of several lines, an export "
            "without a name, or characters besides ASCII")
  endif()
  hash_of("${text}" hash)
  literal_of("${text}" literal)
  string(APPEND rows "    {\"${name}\",${literal}sv,\n     \"${hash}\"},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made from tools/pages by cmake/embed_pages.cmake.
#include \"pages/page.hpp\"

namespace cli {

namespace {

using namespace std::string_view_literals; // whose lengths the compiler need not count

constexpr PageFile all_files[] = {
${rows}};

} // namespace

std::span<const PageFile> page_files() noexcept {
    return all_files;
}

} // namespace cli
")
