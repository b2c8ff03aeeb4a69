"""The board page as a manager: a server on the loopback interface, with games of any brains."""
