// The parts of the observer protocol 0.1 that the page uses: one SUBSCRIBE goes out, ticks and chunks come in.

export type Position = readonly [x: number, y: number, z: number];

export interface Bootstrap {
  world_id: string;
  tick: number;
  world_params: { tick_rate_hz: number; height: number; seed: number; boundary_r: number };
  block_palette: string[];
}

export interface Subscribe {
  chunk_radius: number;
  max_chunks: number;
  focus_agent_id: string;
  /** The place around which every block is sent if nobody is in focus; null for none. */
  focus_pos: Position | null;
  voxel_radius: number;
  voxel_max_chunks: number;
}

export interface Task {
  kind: string;
  target: Position;
  progress: number;
  target_id?: string;
  eta_ticks?: number;
}

export interface ShownAgent {
  id: string;
  name: string;
  connected: boolean;
  pos: Position;
  yaw: number;
  hp: number;
  hunger: number;
  stamina_milli: number;
  move_task?: Task;
  work_task?: Task;
  org_id?: string;
  /** What it is, and why it does what it does, in its own words. */
  title?: string;
  intent?: string;
}

/** A block that changed into another. */
export interface Audit {
  actor: string;
  pos: Position;
  from: number;
  to: number;
  reason?: string;
}

/**
 * Something anyone may know. Which of these there are depends on its kind. A kind that this page has no sentence for is
 * shown by its name.
 */
export interface Happening {
  kind: string;
  agent?: string;
  /** For a LEAVE: whether the body is gone, too. */
  retired?: boolean;
  actor?: string;
  name?: string;
  from?: string;
  with?: string;
  owner?: string;
  new_owner?: string;
  poster?: string;
  channel?: string;
  text?: string;
  title?: string;
  status?: string;
  state?: string;
  command?: string;
  item?: string;
  count?: number;
  /** What the other side of a trade gave, and what it got for that. */
  offer?: readonly [string, number][];
  request?: readonly [string, number][];
  on?: boolean;
  season?: number;
  org_id?: string;
  member_id?: string;
  role?: string;
  town_id?: string;
  event_id?: string;
  blueprint_id?: string;
  achievement?: string;
  pos?: Position | null;
  /** What a speaker marked its words with, for programs. */
  data?: unknown;
}

export interface Tick {
  type: "TICK";
  tick: number;
  time_of_day: number;
  weather: string;
  agents: ShownAgent[];
  audits?: Audit[];
  happenings?: Happening[];
}

interface OfChunk {
  cx: number;
  cz: number;
}

export interface ChunkWhole extends OfChunk {
  type: "CHUNK_SURFACE" | "CHUNK_VOXELS";
  data: string;
}

export interface SurfacePatch extends OfChunk {
  type: "CHUNK_PATCH";
  cells: { x: number; z: number; block: number; y: number }[];
}

export interface VoxelPatch extends OfChunk {
  type: "CHUNK_VOXEL_PATCH";
  cells: { x: number; y: number; z: number; block: number }[];
}

export interface Evict extends OfChunk {
  type: "CHUNK_EVICT" | "CHUNK_VOXELS_EVICT";
}

export type ChunkMessage = ChunkWhole | SurfacePatch | VoxelPatch | Evict;
export type Message = Tick | ChunkMessage;
