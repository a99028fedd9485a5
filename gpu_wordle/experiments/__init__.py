"""Studies over the exact evaluator: plain dataclasses in and out, no files and no printing."""
