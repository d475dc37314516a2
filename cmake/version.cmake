# SPDX-License-Identifier: Apache-2.0
# The public header is the only place that states the version. gives: NONFLAT_VERSION, and NONFLAT_SOVERSION, the version of libnonflat.so
# on which a linked program depends. By semantic versioning every 0.MINOR may break compatibility, and from 1.0 on only MAJOR.
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
