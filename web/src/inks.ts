// The colours of the style sheet for use on a canvas. Each is computed once, and again when the colour scheme changes.

let room: MediaQueryList | null = null;
let inks = new Map<string, string>();

export function isDark(): boolean {
  if (!room) {
    room = matchMedia("(prefers-color-scheme: dark)");
    room.addEventListener("change", () => {
      inks = new Map();
    });
  }
  return room.matches;
}

export function token(name: string): string {
  isDark();
  let colour = inks.get(name);
  if (colour === undefined) {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${name})`;
    colour = getComputedStyle(probe).color;
    probe.remove();
    inks.set(name, colour);
  }
  return colour;
}
