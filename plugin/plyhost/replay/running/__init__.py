"""How a run is parted, over cores or over workers by Redis, and put in order again."""
