"""What is wrong with an installation, and what to do: `bin/manage doctor`."""
