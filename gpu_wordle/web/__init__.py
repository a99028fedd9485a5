"""The local page: a server over the functions of the package, its files, and a static copy of it.

``serve`` runs it, ``export`` writes the static copy. A question goes through these modules::

    protocol -> safety -> service -> queue -> advice, games, browsing -> api and experiments
                            |          |
                        questions    hands (the threads that search)
"""
