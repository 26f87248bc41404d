#!/usr/bin/env python
"""Django's command line for Taskboard; `bin/manage` runs it in the project's own environment."""

from taskboard.command_line import main

if __name__ == "__main__":
    main()
