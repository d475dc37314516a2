# SPDX-License-Identifier: Apache-2.0
# The layer is installed in a folder that the dynamic linker searches, so that OPENCL_LAYERS=libnonflat_layer.so is enough; libraries there
# have a SONAME.
target_link_options(nonflat_layer PRIVATE -Wl,-soname,libnonflat_layer.so)
target_link_options(nonflat_usm PRIVATE -Wl,-soname,libnonflat_usm.so)

# nonflat.lay tells the Khronos loader where the layer is. It is read from /etc/OpenCL/layers only (and from the folder
# in OPENCL_LAYER_PATH), so an installation under another prefix than /usr puts it below that prefix, for the
# administrator to link. Debian 12's ocl-icd reads no such files: there the layer is loaded by OPENCL_LAYERS, or by `nonflat run`.
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
  set(nonflat_lay_default /etc/OpenCL/layers)
else()
  set(nonflat_lay_default ${CMAKE_INSTALL_SYSCONFDIR}/OpenCL/layers)
endif()
set(NONFLAT_LAY_DIR ${nonflat_lay_default} CACHE STRING "Where nonflat.lay goes")

# Written when it is installed: `cmake --install --prefix` may name another prefix than the configuration did.
install(CODE "
  set(nonflat_layer_file \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/libnonflat_layer.so\")
  cmake_path(ABSOLUTE_PATH nonflat_layer_file BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\" NORMALIZE)
  set(nonflat_lay_file \"${NONFLAT_LAY_DIR}/nonflat.lay\")
  cmake_path(ABSOLUTE_PATH nonflat_lay_file BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\" NORMALIZE)
  file(WRITE \"\$ENV{DESTDIR}\${nonflat_lay_file}\" \"\${nonflat_layer_file}\\n\")
  message(STATUS \"Installing: \$ENV{DESTDIR}\${nonflat_lay_file}\")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${nonflat_lay_file}\")
" COMPONENT layer)
