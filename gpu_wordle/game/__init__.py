"""What a game is: words, feedback, rule, objective, weights, and a position in it.

Bottom up:

- ``values``: the value of an unwinnable state, and the guess limit that is none.
- ``word_list``: a list of distinct words.
- ``feedback``: THE definition of the feedback to a guess, and the interface for other games.
- ``words``: the lists of a game, named or from files; ``data/`` holds the named ones.
- ``rule``: THE definition of the rules, by letters.
- ``weights``: the integer weights of the answers.
- ``objective``: the value of a strategy as one integer; the guess limit.
- ``patterns``: the pattern of every guess against every answer, and its file in the cache.
- ``letters``: statistics of the letters of guesses.
- ``legality``: legal guesses of the constrained rules, tested by a few bits.
- ``game``: a game, and a position in it.
- ``games``: Mastermind, Bulls and Cows, and games given by their feedback.
"""
