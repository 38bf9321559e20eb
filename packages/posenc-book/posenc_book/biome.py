"""Run Biome, which lints scripts and stylesheets and formats scripts, as lint.jsonc has it."""

import subprocess
import sys
from pathlib import Path

from posenc_book import assets

if __name__ == "__main__":
    biome = assets.fetch(Path.cwd()) / "@biomejs/biome/bin/biome"
    settings = f"--config-path={Path(__file__).with_name('lint.jsonc')}"
    command = [str(assets.NODE), str(biome), *sys.argv[1:], settings]
    sys.exit(subprocess.run(command, check=False).returncode)
