"""The command `fdaa`: one file per command. It has no rules of its own; commands call the core."""
