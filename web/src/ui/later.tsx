// A part of the page whose script is loaded when it is first shown.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

interface Props<P> {
  load: () => Promise<ComponentType<P>>;
  with: P;
}

export function LaterPart<P extends object>({ load, with: given }: Props<P>) {
  const [part, setPart] = useState<ComponentType<P> | string>("Looking…");
  useEffect(() => {
    load().then(
      (loaded) => setPart(() => loaded),
      () => setPart("This part of the page did not come; load the page again."),
    );
  }, []);
  const Part = part;
  return typeof Part === "string" ? <p class="none">{Part}</p> : <Part {...given} />;
}
