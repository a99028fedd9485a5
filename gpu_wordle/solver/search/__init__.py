"""The search, once for all rules, as templates whose hooks each rule fills.

``hooks`` is what a rule supplies, ``split`` enters the parts of a guess, ``refute`` raises their
bounds, ``search`` is the recursion, ``strategy`` extracts the tree, ``entry`` is what Python calls
and ``machine_code`` compiles it all for a rule.
"""
