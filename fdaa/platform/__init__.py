"""The live service: client, identity tokens, and a platform to test against."""
