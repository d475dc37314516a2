# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for s390x (the other byte order), tests under qemu-user: packaging/cross uses it.
set(nonflat_triplet s390x-linux-gnu)
set(nonflat_qemu s390x)
set(CMAKE_SYSTEM_PROCESSOR s390x)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
