"""The secrets that no test of the live part may let out; a fixture looks for them."""

CANARY = "canary-4f1a9c77d0"
SECRETS = {CANARY}  # a test adds those of its own
