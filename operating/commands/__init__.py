"""What operators do from the command line: users, tokens and boards. The commands are in management/commands/."""
