"""Small tools without a subject of their own: exports, escapes, JSON, files, streams, extras."""
