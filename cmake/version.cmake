# SPDX-License-Identifier: Apache-2.0
# The version stands in the public header and nowhere else.
# gives: NONFLAT_VERSION, and NONFLAT_SOVERSION: what a program that is linked to libnonflat.so depends on. By semantic
# versioning everything may change with 0.MINOR, and from 1.0 on only with MAJOR.
foreach(part MAJOR MINOR PATCH)
  file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/nonflat/nonflat.h line REGEX "^#define NF_VERSION_${part} [0-9]+$")
  string(REGEX MATCH "[0-9]+$" version_${part} "${line}")
endforeach()
set(NONFLAT_VERSION ${version_MAJOR}.${version_MINOR}.${version_PATCH})
if(version_MAJOR EQUAL 0)
  set(NONFLAT_SOVERSION 0.${version_MINOR})
  set(NONFLAT_COMPATIBILITY SameMinorVersion)
else()
  set(NONFLAT_SOVERSION ${version_MAJOR})
  set(NONFLAT_COMPATIBILITY SameMajorVersion)
endif()
