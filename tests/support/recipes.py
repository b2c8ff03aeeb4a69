"""A small recipe of training/tune.py."""

RECIPE = """\
[[set]]
rule = 0
size = 9
nodes = 60
games = 120
seed = 1
policies = true
engine = "this one"

[[network]]
rule = 0
epochs = 2

[[policy]]
rule = 0
epochs = 2

[borrowed]
1 = 0
4 = 0
8 = 0
9 = 0
16 = 0
32 = 0
64 = 0
"""
