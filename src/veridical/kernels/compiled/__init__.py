"""The compiled kernels; absent where the package was built without a compiler."""
