# SPDX-License-Identifier: Apache-2.0
# Combines many objects to one in which only the names of a linker map are global: for archives, which cannot have a map. The option
# -fvisibility=hidden of shared objects does not help there: hidden names in an archive can still collide with those of the program.
# needs: a compiler that links relocatable objects (-r), and objcopy. If they cannot do that, which the function below tests, the
# objects are not combined, and NONFLAT_ONE_OBJECT is off.
option(NONFLAT_ONE_OBJECT "Only public names in libnonflat.a" ON)

# `relocatable` is the command line by which this toolchain makes one object of many. Objects that were compiled for link-time optimization
# are compiled to machine code here; section groups are resolved, because a local name cannot be the name of a group.
set(relocatable ${CMAKE_C_COMPILER})
if(CMAKE_C_COMPILER_TARGET)
  list(APPEND relocatable --target=${CMAKE_C_COMPILER_TARGET})
endif()
string(REGEX REPLACE "-fsanitize=[^ ]*" "" nonflat_flags "${CMAKE_C_FLAGS}")
separate_arguments(nonflat_flags UNIX_COMMAND "${nonflat_flags}")
list(APPEND relocatable ${nonflat_flags} -r -nostdlib)
if(nonflat_flags MATCHES "-flto" AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  list(APPEND relocatable -flinker-output=nolto-rel)
endif()
include(CheckLinkerFlag)
check_linker_flag(C -Wl,--force-group-allocation NONFLAT_HAS_GROUP_ALLOCATION)
if(NONFLAT_HAS_GROUP_ALLOCATION)
  list(APPEND relocatable -Wl,--force-group-allocation)
endif()

# Tests whether that works with this toolchain. In an object made of two, the name in the list must be global, and the other one must not
# be.
function(nonflat_probe_one_object result)
  set(${result} OFF PARENT_SCOPE)
  if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM)
    return()
  endif()
  set(probe ${PROJECT_BINARY_DIR}/one_object)
  file(WRITE ${probe}/kept.c "int kept(void);\nint inner(void);\nint kept(void) { return inner(); }\n")
  file(WRITE ${probe}/inner.c "int inner(void);\nint inner(void) { return 0; }\n")
  file(WRITE ${probe}/names "kept\n")
  foreach(name kept inner)
    execute_process(COMMAND ${CMAKE_C_COMPILER} ${nonflat_flags} -c ${probe}/${name}.c -o ${probe}/${name}.o
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      return()
    endif()
  endforeach()
  execute_process(COMMAND ${relocatable} ${probe}/kept.o ${probe}/inner.o -o ${probe}/one.o
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    return()
  endif()
  execute_process(COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${probe}/names ${probe}/one.o
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  execute_process(COMMAND ${CMAKE_NM} ${probe}/one.o OUTPUT_VARIABLE listing ERROR_QUIET)
  if(NOT failed AND listing MATCHES " T kept\n" AND listing MATCHES " t inner\n")
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# nonflat_one_object(VARIABLE OBJECTS MAP): in VARIABLE what to make an archive of: one object, or OBJECTS themselves.
function(nonflat_one_object variable objects map)
  set(works OFF)
  if(NONFLAT_ONE_OBJECT)
    nonflat_probe_one_object(works)
    if(NOT works)
      message(STATUS "libnonflat.a shows its inner names: this toolchain does not make one object of many")
    endif()
  endif()
  set(NONFLAT_ONE_OBJECT ${works} PARENT_SCOPE)
  if(NOT works)
    set(${variable} ${objects} PARENT_SCOPE)
    return()
  endif()
  file(READ ${map} text)
  string(REPLACE ";" "\n" text "${text}")
  string(REGEX MATCHALL "nf_[a-z0-9_]+\n" names "${text}")
  string(REPLACE ";" "" names "${names}")
  set(list ${PROJECT_BINARY_DIR}/one_object/public_names)
  file(CONFIGURE OUTPUT ${list} CONTENT "${names}" @ONLY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${map})
  set(made ${PROJECT_BINARY_DIR}/one_object/nonflat${CMAKE_C_OUTPUT_EXTENSION})
  add_custom_command(OUTPUT ${made} COMMENT "Making one object of the core"
    COMMAND ${relocatable} ${objects} -o ${made}
    COMMAND ${CMAKE_OBJCOPY} --keep-global-symbols=${list} ${made}
    DEPENDS ${objects} ${list} COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${made} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
