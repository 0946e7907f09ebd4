"""What fdaa costs beside others that do the same: `python -m benchmarks` prints one table.

An area is a module with `rows`, which compares the answers first; `rival_*` are other programs.
"""
