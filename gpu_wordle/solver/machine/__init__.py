"""How machine code is made: linking, compiling, types, SIMD, bit slices, layout."""
