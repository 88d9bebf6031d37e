"""The 2018 contract over the operations of contract version 1."""
