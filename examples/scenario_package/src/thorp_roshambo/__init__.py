"""Rock, paper, scissors for Thorp."""

from thorp_roshambo.bot import Counter
from thorp_roshambo.scenario import Roshambo

__all__ = ["Counter", "Roshambo"]
