"""The documents for people, as installed with the package and served as pages."""
