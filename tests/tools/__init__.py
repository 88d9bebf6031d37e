"""What tests are made with: real services, recorded games, second rules, damage, fuzzers."""
