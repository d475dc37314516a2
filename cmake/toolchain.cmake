# SPDX-License-Identifier: Apache-2.0
# nonflat_tool(VARIABLE PROGRAM): the path of the LLVM program that tools/toolchain.sh finds, unless the configuration names another; empty
# if there is none.
function(nonflat_tool variable program)
  if(${variable})
    return()
  endif()
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/tools/toolchain.sh ${program}
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${variable} "${found}" PARENT_SCOPE)
endfunction()
