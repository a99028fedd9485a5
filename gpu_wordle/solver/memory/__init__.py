"""What a search holds: matrix, labels, stage costs, transposition table, workspace."""
