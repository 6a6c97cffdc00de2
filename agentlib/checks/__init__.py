"""Arguments against a function's hints, and against a schema written by hand."""
