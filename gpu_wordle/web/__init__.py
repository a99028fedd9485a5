"""The local page: a server over the functions of the package, and a static copy of the page.

``serve`` runs the server, ``export`` writes the static copy. A question passes these modules::

    protocol -> safety -> service -> queue -> advice, games, browsing -> api and experiments
                            |          |
                        questions    hands (the threads that search)
"""
