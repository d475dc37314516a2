# SPDX-License-Identifier: Apache-2.0
# The core as a library for other programs: libnonflat.so and libnonflat.a from the same objects, the header, a pkg-config file and a CMake
# package.
# needs: the target `nonflat_core` (src/), NONFLAT_SOVERSION. gives: `nonflat`, the archive, and `nonflat_shared`.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/one_object.cmake)
set(nonflat_map ${CMAKE_CURRENT_LIST_DIR}/nonflat.map)
set(nonflat_package ${CMAKE_INSTALL_LIBDIR}/cmake/nonflat)

# The map lists the exported symbols of the libraries; calls between functions of the shared library do not go through the PLT.
set_target_properties(nonflat_core PROPERTIES C_VISIBILITY_PRESET default)
target_compile_options(nonflat_core PRIVATE -fno-semantic-interposition)
# The core consists of small loops over words: -O3 executes 3 % fewer instructions, and makes the size of a program that contains the whole
# core 3 % larger.
target_compile_options(nonflat_core PRIVATE $<$<CONFIG:RelWithDebInfo>:-O3>)

# Only the public names are global in the archive, so that a program that links it may define a function called nf_new.
nonflat_one_object(core_object $<TARGET_OBJECTS:nonflat_core> ${nonflat_map})
add_library(nonflat STATIC ${core_object})
# Make knows objects of another target only as files, so the other target must be built first.
add_dependencies(nonflat nonflat_core)
target_include_directories(nonflat INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
set_target_properties(nonflat PROPERTIES EXPORT_NAME static LINKER_LANGUAGE C)

add_library(nonflat_shared SHARED $<TARGET_OBJECTS:nonflat_core>)
target_include_directories(nonflat_shared INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_link_options(nonflat_shared PRIVATE -Wl,--version-script=${nonflat_map} -Wl,-Bsymbolic -Wl,-z,now)
# The library itself does not contain the run-time of the sanitizers.
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
  target_link_options(nonflat_shared PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(nonflat_shared PROPERTIES OUTPUT_NAME nonflat EXPORT_NAME nonflat LINKER_LANGUAGE C
  VERSION ${NONFLAT_VERSION} SOVERSION ${NONFLAT_SOVERSION} LINK_DEPENDS ${nonflat_map})

install(TARGETS nonflat_shared EXPORT nonflat-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core NAMELINK_COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS nonflat EXPORT nonflat-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/nonflat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)

install(EXPORT nonflat-targets NAMESPACE nonflat:: DESTINATION ${nonflat_package} COMPONENT dev)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/nonflat-config.cmake.in
  ${PROJECT_BINARY_DIR}/nonflat-config.cmake INSTALL_DESTINATION ${nonflat_package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/nonflat-config-version.cmake
  VERSION ${NONFLAT_VERSION} COMPATIBILITY ${NONFLAT_COMPATIBILITY})
install(FILES ${PROJECT_BINARY_DIR}/nonflat-config.cmake ${PROJECT_BINARY_DIR}/nonflat-config-version.cmake
  DESTINATION ${nonflat_package} COMPONENT dev)

# The prefix is computed from the location of the file, so that an installation can be moved.
file(RELATIVE_PATH nonflat_pc_to_prefix
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" nonflat_pc_to_prefix "${nonflat_pc_to_prefix}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/nonflat.pc.in ${PROJECT_BINARY_DIR}/nonflat.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/nonflat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT dev)
