from taskboard.command_line import main

main()
