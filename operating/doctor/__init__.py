"""Check an installation, and say what to do: `bin/manage doctor`."""
