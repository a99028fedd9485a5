"""What ``import gpu_wordle`` offers, and the jobs behind it: words in, words out."""
