# SPDX-License-Identifier: Apache-2.0
# Writes the bytes of IN to the C file OUT, as `const unsigned char NAME[]` (zero-terminated) and
# `const size_t NAME_size`.
file(READ ${IN} bytes HEX)
string(LENGTH "${bytes}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n" bytes "${bytes}")
file(WRITE ${OUT} "#include <stddef.h>\nextern const unsigned char ${NAME}[];\nextern const size_t ${NAME}_size;\n\
const unsigned char ${NAME}[] = {${bytes}0};\nconst size_t ${NAME}_size = ${size};\n")
