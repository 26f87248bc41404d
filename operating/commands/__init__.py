"""Commands of operators for users, tokens and boards. The commands are in management/commands/."""
