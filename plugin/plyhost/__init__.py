"""The game server: rules, states, the contract and its transports."""
