# SPDX-License-Identifier: Apache-2.0
# The documents for users: README, docs/, licence, man page, completions.
option(NONFLAT_DEBIAN "Install documents as Debian's packages have them (packaging/debs sets it)" OFF)

install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT command)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)
if(NOT NONFLAT_DEBIAN) # there the file `copyright` says it, once per package
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT licence)
endif()

# With -n the compressed file does not contain the time, so that packages are reproducible.
function(nonflat_compressed source name)
  find_program(NONFLAT_GZIP gzip REQUIRED)
  set(out ${PROJECT_BINARY_DIR}/documents/${name}.gz)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/documents)
  add_custom_command(OUTPUT ${out} COMMAND ${NONFLAT_GZIP} -9nc ${source} > ${out} DEPENDS ${source} VERBATIM)
  set(compressed ${compressed} ${out} PARENT_SCOPE)
endfunction()

set(manual ${PROJECT_SOURCE_DIR}/tools/nonflat.1)
set(compressed)
if(NONFLAT_COMMAND AND EXISTS ${manual})
  if(NONFLAT_DEBIAN)
    nonflat_compressed(${manual} nonflat.1)
    set(manual ${PROJECT_BINARY_DIR}/documents/nonflat.1.gz)
  endif()
  install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT command)
endif()

# The command writes its own completions, so a cross-compiled one must be executable here.
set(completions)
if(NONFLAT_COMMAND AND NOT CMAKE_CROSSCOMPILING)
  foreach(shell IN ITEMS bash:nonflat:bash-completion/completions zsh:_nonflat:zsh/vendor-completions
                         fish:nonflat.fish:fish/vendor_completions.d)
    string(REPLACE : ";" shell ${shell})
    list(GET shell 0 name)
    list(GET shell 1 file)
    list(GET shell 2 folder)
    set(out ${PROJECT_BINARY_DIR}/documents/${name}/${file})
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/documents/${name})
    add_custom_command(OUTPUT ${out} COMMAND nonflat_command completion ${name} > ${out} DEPENDS nonflat_command VERBATIM)
    list(APPEND completions ${out})
    install(FILES ${out} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder} COMPONENT command)
  endforeach()
endif()
add_custom_target(documents ALL DEPENDS ${compressed} ${completions})
