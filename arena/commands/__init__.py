"""The arena's commands: HELP, DESCRIPTION, add_arguments(parser), run(args) -> exit code."""
