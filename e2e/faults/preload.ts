import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Operations that a rule can match; the bit values are those of preload/storage.c. */
const operations = { write: 1, sync: 2, open: 4, rename: 8, unlink: 16, truncate: 32, read: 64 } as const;
export type Operation = keyof typeof operations;

/** `kill-…` kills the program with SIGKILL at that call; `kill-halfway` after it has written half of the bytes. */
const actions = {
  EIO: 5,
  EBUSY: 16,
  ENOSPC: 28,
  "kill-before": 0x10000,
  "kill-after": 0x10001,
  "kill-halfway": 0x10002,
} as const;
export type Action = keyof typeof actions;

/** Applies `action` to `times` matching calls, from call number `skip` (counted from 0) on. */
export interface Rule {
  on: readonly Operation[];
  action: Action;
  skip?: number;
  times?: number;
  /** Matches only paths within the folder that contain this text; all paths if absent. */
  path?: string;
}

export type Preload = ReturnType<typeof createPreload>;

/** Offsets in the control file, as in preload/control.h. */
const at = { clock: 0, operations: 8, action: 12, skip: 16, times: 24, fired: 32, budget: 40, path: 48 };
const CONTROL_BYTES = 4096;

/**
 * Creates a preload that controls, while a program runs, what it sees of its files in `folder` and of the clock. The preload's
 * own files are in `own`. With `log` every write is logged.
 */
export function createPreload(folder: string, own: string, { log = false } = {}) {
  const controlFile = join(own, `control-${crypto.randomUUID()}`);
  const logFile = `${controlFile}.log`;
  const start = Buffer.alloc(CONTROL_BYTES);
  start.writeBigInt64LE(-1n, at.budget);
  writeFileSync(controlFile, start);

  const write = (place: number, bytes: Buffer): void => {
    const file = openSync(controlFile, "r+");
    writeSync(file, bytes, 0, bytes.length, place);
    closeSync(file);
  };
  const write64 = (place: number, value: number): void => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(value));
    write(place, bytes);
  };
  const write32 = (place: number, value: number): void => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    write(place, bytes);
  };
  const read64 = (place: number): number => {
    const bytes = Buffer.alloc(8);
    const file = openSync(controlFile, "r");
    readSync(file, bytes, 0, 8, place);
    closeSync(file);
    return Number(bytes.readBigInt64LE());
  };

  return {
    logFile,
    env: {
      LD_PRELOAD: libraries().join(":"),
      FAULTS_FOLDER: folder,
      FAULTS_CONTROL: controlFile,
      ...(log && { FAULTS_LOG: logFile }),
    },
    setRule(rule: Rule | null): void {
      // The mask is cleared first and set last, so that no incomplete rule is ever in force.
      write32(at.operations, 0);
      if (rule === null) return;
      write32(at.action, actions[rule.action]);
      write64(at.skip, rule.skip ?? 0);
      write64(at.times, rule.times ?? 1);
      write(at.path, Buffer.from((rule.path ?? "").padEnd(128, "\0").slice(0, 128)));
      write32(
        at.operations,
        rule.on.reduce((mask, operation) => mask | operations[operation], 0),
      );
    },
    /** Returns how often rules have acted so far. */
    fired: () => read64(at.fired),
    /** Sets how many more bytes may be written; null for no limit. */
    setBudget: (bytes: number | null) => write64(at.budget, bytes ?? -1),
    /** Shifts the wall clock from now on, in ms; the monotonic clock is not affected. */
    shiftClock: (ms: number) => write64(at.clock, ms),
    /** Returns the write log's length in bytes, which covers everything acknowledged before. */
    logBytes: () => statSync(logFile).size,
  };
}

let built: string[] | null = null;

/** Compiles the preloads with the machine's C compiler, once per process. */
function libraries(): string[] {
  if (built !== null) return built;
  if (process.platform !== "linux") throw new Error("the fault tests need Linux: they preload libraries into the hub");
  const folder = mkdtempSync(join(tmpdir(), "comanda-preload-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  built = ["storage", "clock"].map((name) => {
    const source = join(import.meta.dirname, "preload", `${name}.c`);
    const library = join(folder, `${name}.so`);
    const compiled = spawnSync("cc", ["-shared", "-fPIC", "-O2", "-Wall", "-o", library, source, "-ldl"], {
      encoding: "utf8",
    });
    if (compiled.error !== undefined)
      throw new Error("the fault tests need a C compiler: apt-get install gcc libc6-dev");
    if (compiled.status !== 0) throw new Error(`cc could not compile ${source}: ${compiled.stderr}`);
    return library;
  });
  return built;
}
