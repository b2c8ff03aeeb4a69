"""Scenarios of the Piskvork protocol, and what each manager would make of a brain's answers."""
