# SPDX-License-Identifier: Apache-2.0
# Debian's cross compiler for armhf (32-bit embedded devices), tests under qemu-user: packaging/cross uses it.
# Hosts have inodes and folder offsets of 64 bits, which readdir() of a 32-bit target does not accept without this option.
set(CMAKE_C_FLAGS_INIT -D_FILE_OFFSET_BITS=64)
set(nonflat_triplet arm-linux-gnueabihf)
set(nonflat_qemu arm)
set(CMAKE_SYSTEM_PROCESSOR arm)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
