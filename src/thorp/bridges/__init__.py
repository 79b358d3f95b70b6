"""Where engines meet. Engines never import each other; what needs two of them is here."""
