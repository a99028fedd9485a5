"""HDF5 files, the only room that imports h5py."""
