"""The command `fdaa`: one file a command. No rule lives here: commands call the core."""
