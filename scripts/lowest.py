"""Print, as pip's constraints, the lowest versions that pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
for dependency in project["dependencies"]:
    print(re.sub(r">=([^,]+).*", r"==\1", dependency))
