"""The version of the distribution, as a constant: looking it up would cost the command 15 ms."""

VERSION = "0.1.0"
