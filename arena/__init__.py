"""The manager's side: the referee and the match runner. Shares no code with the engine."""
