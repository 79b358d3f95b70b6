// A stretch of a world as one file: `thorp world film` puts this script and what it shows into it.

import "./film/open.ts";
import "./main.tsx";
