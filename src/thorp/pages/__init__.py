"""Pages that stand alone: a match, a tournament or a stretch of a world as one HTML file, which
opens from disk and asks for nothing.

    standalone  makes such a file, and takes one apart
    scripts     the scripts that this release puts into them, and those of earlier releases
    plain       pages that run no script
"""

__all__ = ["plain", "scripts", "standalone"]
