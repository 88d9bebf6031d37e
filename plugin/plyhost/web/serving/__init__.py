"""The process that serves: listening, workers, connections, figures, logs."""
