"""Scenarios of the Piskvork protocol, and the verdicts of managers on a brain's answers."""
