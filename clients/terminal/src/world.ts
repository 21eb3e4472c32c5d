/** The environment of the library, which tests and simulations replace. */
export interface TerminalWorld {
  /** `now` in ms since 1970; `monotonic` in ms from an arbitrary start, never decreasing. */
  clock: { now(): number; monotonic(): number };
  /** In [0, 1). */
  random(): number;
  uuid(): string;
  timers: {
    /** Runs `work` once after `ms`. Returns a function that cancels it. */
    after(ms: number, work: () => void): () => void;
  };
}

export function realWorld(): TerminalWorld {
  return {
    clock: { now: () => Date.now(), monotonic: () => performance.now() },
    random: () => Math.random(),
    uuid: randomUuid,
    timers: {
      after(ms, work) {
        const timer = setTimeout(work, ms);
        return () => clearTimeout(timer);
      },
    },
  };
}

/** Replaces crypto.randomUUID, which is missing on pages over plain http, as the hub's are. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
