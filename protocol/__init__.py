"""The Piskvork protocol on top of the engine: text in, text out, one game at a time.

A file here may use only what stands above it: commands, settings, clock, memory, position, port,
replies, interrupt, log, thinking, swap2, tuning, session, stdio, __main__.
"""
