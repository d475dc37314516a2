# SPDX-License-Identifier: Apache-2.0
# Which parts become which Debian packages; packaging/debs builds them, packaging/check tries them in a clean system.
#     core     libnonflat0.2            the shared library: needs nothing but the C library
#     dev      libnonflat-dev           header, archive, pkg-config file, CMake package, examples
#     layer    nonflat-opencl-layer     the OpenCL layer and its entry for the loader
#     spir     nonflat-spir             the bitcode translator: with LLVM
#     cl       nonflat-cl               the compiler of OpenCL C, with clang
#     command  nonflat                  the command, its manual and documents
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "Nonflat maintainers <maintainers@nonflat.invalid>")
set(CPACK_PACKAGE_VERSION ${NONFLAT_VERSION})
set(CPACK_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_SET_DESTDIR ON) # /etc is outside the prefix
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

# Debian requires lines of less than 80 characters.
set(about "Nonflat takes OpenCL SPIR-V modules that use generic pointers, as SYCL\nand OpenCL C 2 compilers make them, finds the memory of every such\npointer, and gives the driver modules in which the generic address\nspace does not occur.")

# The first line of the description, followed by the part that is special to this package.
function(nonflat_package component name section summary text)
  string(TOUPPER ${component} part)
  set(CPACK_DEBIAN_${part}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${part}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${part}_DESCRIPTION "${summary}\n${about}\n.\n${text}" PARENT_SCOPE)
  set(CPACK_COMPONENTS_ALL ${CPACK_COMPONENTS_ALL} ${component} PARENT_SCOPE)
  if(NOT NONFLAT_DEBIAN)
    return()
  endif()
  set(folder ${CMAKE_INSTALL_DATADIR}/doc/${name})
  install(FILES ${PROJECT_SOURCE_DIR}/packaging/debian/copyright DESTINATION ${folder} COMPONENT ${component})
  install(FILES ${PROJECT_BINARY_DIR}/documents/changelog.Debian.gz DESTINATION ${folder} COMPONENT ${component})
endfunction()

set(CPACK_COMPONENTS_ALL)
nonflat_package(core libnonflat${NONFLAT_SOVERSION} libs "removes generic pointers from SPIR-V - library"
  "This package has the shared library: SPIR-V bytes in, SPIR-V bytes out.")
nonflat_package(dev libnonflat-dev libdevel "removes generic pointers from SPIR-V - development files"
  "This package has the header, the archive, the pkg-config file, the CMake\npackage and examples.")
if(NONFLAT_LAYER)
  nonflat_package(layer nonflat-opencl-layer libs "removes generic pointers from SPIR-V - OpenCL layer"
    "This package has the OpenCL layer, which serves devices without a\ngeneric address space.")
endif()
if(TARGET nonflat-spir)
  nonflat_package(spir nonflat-spir utils "removes generic pointers from SPIR-V - bitcode translator"
    "This package has the program that the layer starts for drivers that take\nSPIR 1.2 bitcode only, such as PoCL 3.1.")
endif()
if(TARGET nonflat-cl)
  nonflat_package(cl nonflat-cl utils "removes generic pointers from SPIR-V - compiler of OpenCL C"
    "This package has the program that makes SPIR-V of OpenCL C and C++ for\nOpenCL as a device sees it.")
endif()
if(NONFLAT_COMMAND)
  nonflat_package(command nonflat utils "removes generic pointers from SPIR-V - command"
    "This package has the command: specialize modules, look into them, run\nprograms with the layer.")
endif()

set(exact "= ${NONFLAT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
configure_file(${PROJECT_SOURCE_DIR}/packaging/cpack/shlibs.in ${PROJECT_BINARY_DIR}/documents/shlibs @ONLY)
set(CPACK_DEBIAN_CORE_PACKAGE_CONTROL_EXTRA
  ${PROJECT_BINARY_DIR}/documents/shlibs ${PROJECT_SOURCE_DIR}/packaging/cpack/triggers)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libnonflat${NONFLAT_SOVERSION} (${exact})")
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)

set(CPACK_DEBIAN_LAYER_PACKAGE_RECOMMENDS "ocl-icd-libopencl1 | libopencl1")
set(CPACK_DEBIAN_LAYER_PACKAGE_SUGGESTS "nonflat, nonflat-spir, nonflat-cl")
set(CPACK_DEBIAN_LAYER_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/cpack/conffiles
  ${PROJECT_SOURCE_DIR}/packaging/cpack/triggers)
set(CPACK_DEBIAN_COMMAND_PACKAGE_RECOMMENDS "nonflat-opencl-layer (${exact})")
set(CPACK_DEBIAN_SPIR_PACKAGE_ENHANCES "nonflat-opencl-layer")
set(CPACK_DEBIAN_CL_PACKAGE_ENHANCES "nonflat-opencl-layer, nonflat")

if(NONFLAT_DEBIAN)
  set(compressed)
  nonflat_compressed(${PROJECT_SOURCE_DIR}/packaging/debian/changelog changelog.Debian)
  add_custom_target(debian_documents ALL DEPENDS ${compressed})
endif()
include(CPack)
