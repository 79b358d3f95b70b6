// What blocks look like: colours and shapes by name. A block that is not listed gets a colour from its name.

import { blockWord } from "./words.ts";

export type Shape = "none" | "cube" | "water" | "plant" | "post" | "board" | "flat";
export type Rgb = readonly [r: number, g: number, b: number];

interface Paint {
  top: number;
  side?: number;
  shape?: Shape;
  /** What most likely lies below this block in a column of which only the surface is known. */
  under?: string;
  glow?: boolean;
}

/** The pattern of a face, which the shader draws. */
export const KINDS = [
  "plain",
  "grass",
  "earth",
  "stone",
  "planks",
  "bricks",
  "bark",
  "leaves",
  "water",
  "window",
  "framed",
  "chest",
  "furnace",
  "plant",
  "crop",
] as const;
type Kind = (typeof KINDS)[number];

const KIND_OF: Record<string, Kind> = {
  GRASS: "grass",
  DIRT: "earth",
  SAND: "earth",
  GRAVEL: "earth",
  WARREN: "earth",
  WARREN_EMPTY: "earth",
  STONE: "stone",
  BEDROCK: "stone",
  COAL_ORE: "stone",
  IRON_ORE: "stone",
  COPPER_ORE: "stone",
  CRYSTAL_ORE: "stone",
  ICE: "stone",
  PLANK: "planks",
  SIGN: "planks",
  BRICK: "bricks",
  LOG: "bark",
  LEAVES: "leaves",
  WATER: "water",
  GLASS: "window",
  METAL_PLATE: "framed",
  CRAFTING_BENCH: "framed",
  BULLETIN_BOARD: "framed",
  CLAIM_TOTEM: "framed",
  CONTRACT_TERMINAL: "framed",
  CONVEYOR: "framed",
  BATTERY: "framed",
  SENSOR: "framed",
  SWITCH: "framed",
  CHEST: "chest",
  FURNACE: "furnace",
  SAPLING: "plant",
  BERRY_BUSH: "plant",
  BERRY_BUSH_BARE: "plant",
  TALL_GRASS: "plant",
  WHEAT_SPROUT: "crop",
  WHEAT_RIPE: "crop",
};

const PAINTS: Record<string, Paint> = {
  AIR: { top: 0, shape: "none" },
  GRASS: { top: 0x7f9d56, side: 0x8a7350, under: "DIRT" },
  DIRT: { top: 0x8b6d4c, under: "DIRT" },
  SAND: { top: 0xdcc998, side: 0xd0bc89, under: "SAND" },
  STONE: { top: 0x9c9a93, side: 0x908e88 },
  GRAVEL: { top: 0xa49b90, under: "STONE" },
  WATER: { top: 0x5b93b5, side: 0x4b82a6, shape: "water", under: "WATER" },
  ICE: { top: 0xc9e0ea, side: 0xb4d0de, under: "WATER" },
  BEDROCK: { top: 0x4a4845 },
  COAL_ORE: { top: 0x63615e },
  IRON_ORE: { top: 0xb59a84 },
  COPPER_ORE: { top: 0xb98561 },
  CRYSTAL_ORE: { top: 0xa58fc9, glow: true },
  LOG: { top: 0xa98a5c, side: 0x6f5437 },
  LEAVES: { top: 0x5f8748, side: 0x547a41 },
  PLANK: { top: 0xc49a63, side: 0xb88e58 },
  BRICK: { top: 0xae6552, side: 0xa35c4a },
  GLASS: { top: 0xd3e6ea },
  METAL_PLATE: { top: 0xb5bcc2 },
  CHEST: { top: 0xa9752f, side: 0x98682a },
  FURNACE: { top: 0x77746f, side: 0x6a6762 },
  CRAFTING_BENCH: { top: 0xcfa56b, side: 0x94693a },
  BULLETIN_BOARD: { top: 0xb68c50, side: 0xe0cf9f },
  CLAIM_TOTEM: { top: 0xd9b44a, side: 0xb0543f },
  CONTRACT_TERMINAL: { top: 0x54707c, side: 0x465e69 },
  CONVEYOR: { top: 0x5f636b, side: 0x4d5057 },
  BATTERY: { top: 0x6f9a62, side: 0x4b5550 },
  SENSOR: { top: 0x9cbcc4, side: 0x6d7f86 },
  SWITCH: { top: 0xc3553f, side: 0x76716b },
  WIRE: { top: 0xb5482f, shape: "flat", under: "DIRT" },
  TORCH: { top: 0xffd27a, side: 0xf2b650, shape: "post", under: "DIRT", glow: true },
  SIGN: { top: 0xcaa870, side: 0xbd9a62, shape: "board", under: "GRASS" },
  SAPLING: { top: 0x78a04e, shape: "plant", under: "GRASS" },
  BERRY_BUSH: { top: 0x9c4a58, side: 0x6d7f46, shape: "plant", under: "GRASS" },
  BERRY_BUSH_BARE: { top: 0x7b8a4d, shape: "plant", under: "GRASS" },
  TALL_GRASS: { top: 0x95b05f, side: 0x7f9d56, shape: "plant", under: "GRASS" },
  WHEAT_SPROUT: { top: 0xa9bd5c, side: 0x8faa52, shape: "plant", under: "DIRT" },
  WHEAT_RIPE: { top: 0xe2c160, side: 0xc2a24b, shape: "plant", under: "DIRT" },
  WARREN: { top: 0x6d5238, side: 0x8b6d4c, under: "DIRT" },
  WARREN_EMPTY: { top: 0x7d6346, side: 0x8b6d4c, under: "DIRT" },
};

/** Things that are not blocks. */
const ITEMS: Record<string, number> = {
  BERRIES: 0x9c4a58,
  BREAD: 0xc98f4a,
  COAL: 0x3b3a38,
  COOKED_MEAT: 0x8a5436,
  COPPER_INGOT: 0xc07a4e,
  CRYSTAL_SHARD: 0xa58fc9,
  IRON_INGOT: 0xcdc9bf,
  RAW_MEAT: 0xc0645c,
  SEEDS: 0xb7b06a,
  STICK: 0xa98a5c,
  WHEAT: 0xe2c160,
};
const TOOLS: Record<string, number> = { WOOD: 0xb88e58, STONE: 0x908e88, IRON: 0xcdc9bf };

const colourOfItem = (item: string): number | undefined =>
  ITEMS[item] ?? PAINTS[item]?.top ?? TOOLS[/^(\w+)_(AXE|PICKAXE|SHOVEL)$/.exec(item)?.[1] ?? ""];

/** Whether an item has this name. */
export const isItem = (name: string): boolean => colourOfItem(name) !== undefined;

/** The colour of an item, as a style. */
export const swatch = (item: string): string =>
  `#${(colourOfItem(item) ?? paintOfStranger(item).top).toString(16).padStart(6, "0")}`;

/** Muted, and always the same for the same name. */
function paintOfStranger(name: string): Paint {
  let hash = 7;
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0;
  const part = (shift: number) => 0x60 + ((hash >>> shift) & 0x5f);
  return { top: (part(0) << 16) | (part(8) << 8) | part(16) };
}

const rgb = (colour: number): Rgb => [colour >> 16, (colour >> 8) & 255, colour & 255];

/** The looks of a palette's blocks, by their number. */
export class Looks {
  readonly shape: Shape[];
  readonly top: Rgb[];
  readonly side: Rgb[];
  readonly glow: boolean[];
  /** The number of its pattern. */
  readonly kind: Uint8Array;
  readonly under: Uint16Array;
  /** 1 for opaque blocks. */
  readonly opaque: Uint8Array;
  readonly leaves: number;
  readonly log: number;
  readonly grass: number;

  constructor(readonly palette: readonly string[]) {
    const paints = palette.map((name) => PAINTS[name] ?? paintOfStranger(name));
    const number = (name: string) => Math.max(0, palette.indexOf(name));
    this.shape = paints.map((paint) => paint.shape ?? "cube");
    this.top = paints.map((paint) => rgb(paint.top));
    this.side = paints.map((paint) => rgb(paint.side ?? paint.top));
    this.glow = paints.map((paint) => paint.glow ?? false);
    this.kind = Uint8Array.from(palette, (name) => KINDS.indexOf(KIND_OF[name] ?? "plain"));
    this.under = Uint16Array.from(paints, (paint, self) => (paint.under ? number(paint.under) : self));
    this.opaque = Uint8Array.from(this.shape, (shape) => (shape === "cube" ? 1 : 0));
    this.leaves = number("LEAVES");
    this.log = number("LOG");
    this.grass = number("GRASS");
  }

  /** A block's name, as the server writes it. */
  name(number: number): string {
    return this.palette[number] ?? String(number);
  }

  /** A block's name as a word. */
  word(number: number): string {
    return blockWord(this.palette[number] ?? "something");
  }
}
