"""Run Biome, which lints scripts and stylesheets and formats scripts, as biome.jsonc has it."""

import subprocess
import sys
from pathlib import Path

from posenc_book.theme import assets

if __name__ == "__main__":
    biome = assets.fetch(Path.cwd()) / "@biomejs/biome/bin/biome"
    command = [str(assets.NODE), str(biome), *sys.argv[1:]]
    sys.exit(subprocess.run(command, check=False).returncode)
