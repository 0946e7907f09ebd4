"""The text of an address as RFC 5952, section 4, wants it, where a database does not write it."""

# The first of the longest runs of zeros, of two to seven groups, and what is in front of it: an
# earlier alternative wins wherever it matches, so a longer run wins, and of those the first one.
# Each group has a colon after it.
_RUNS = [f"(.*?)(?::0){{{groups}}}:" for groups in range(7, 1, -1)]
LONGEST_RUN = f"^(?:{'|'.join(_RUNS)})"
