"""How verbs declare their options, and how what is given is read."""
