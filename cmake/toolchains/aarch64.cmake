# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for aarch64 (64-bit embedded devices), tests under qemu-user: packaging/cross uses it.
set(nonflat_triplet aarch64-linux-gnu)
set(nonflat_qemu aarch64)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
