"""What tests are made with: real services, recorded games, second rules, damage, fuzzers."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
