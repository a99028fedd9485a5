"""The exact search under the rules that restrict the next guess by the feedback so far.

A state is a set of answers and the traits that have been revealed (see legality.py); its key holds
both. What holds under the normal rule does not all hold here:

- A bound that was proved with some legal guesses holds with fewer of them, and never with more. So
  the bounds of a state are of no use to the same answers with less revealed.
- A guess that splits a state like another one may reveal less, or remain legal for longer. So
  guesses are not collapsed by their partitions. Only those that leave all answers together are
  dropped, since revealing more and having fewer guesses left never helps.
- The answers of a state are always legal. So it can always be won in as many guesses as there are
  answers, and a candidate that tells all of them apart is best whatever is revealed.

The modules, bottom up:

- ``workspace``: the memory of a thread.
- ``legal``: sets of legal guesses, kept with their patterns.
- ``generate``: the legal guesses of a state, lined up to be tried.
- ``hooks``: the hooks of the search.
- ``machine_code``: the search, compiled; nothing that works under the other rules imports it.
"""
