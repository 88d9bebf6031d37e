"""The published documents of the contract, as installed with the package."""
