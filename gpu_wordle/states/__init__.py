"""Sets of answers, what guesses do to them, closed-form bounds, and decision trees."""
