# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for armhf (32-bit embedded devices), tests under qemu-user: packaging/cross uses it.
set(nonflat_triplet arm-linux-gnueabihf)
set(nonflat_qemu arm)
set(CMAKE_SYSTEM_PROCESSOR arm)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
