"""What everything stands on: the 128 bits, texts of addresses and parts, names, ends, errors."""
