"""What a game is: words, feedback, rule, objective, weights, and a position in it.

Bottom up:

- ``values``: the two numbers that values and guess limits are held against.
- ``word_list``: a list of distinct words.
- ``feedback``: THE definition of the feedback to a guess, and what any game says of its own.
- ``words``: the lists of a game, named or from files; ``data/`` holds the named ones.
- ``rule``: THE definition of the rules, by letters.
- ``weights``: how likely each answer is, as integers.
- ``objective``: what a strategy is charged, as one integer; the guess limit.
- ``patterns``: the pattern of every guess against every answer, and its file in the cache.
- ``letters``: statistics of guesses that look at letters alone.
- ``legality``: legal guesses of the constrained rules, as a test of a few bits.
- ``game``: a game, and a position in it.
- ``games``: Mastermind, Bulls and Cows, and games given by their feedback.
"""
