import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Calls that a rule can concern; the bits of preload/storage.c. */
const operations = { write: 1, sync: 2, open: 4, rename: 8, unlink: 16, truncate: 32, read: 64 } as const;
export type Operation = keyof typeof operations;

/** `kill-…` sends the program SIGKILL at that call; `kill-halfway` after half of the bytes of a write. */
const actions = {
  EIO: 5,
  EBUSY: 16,
  ENOSPC: 28,
  "kill-before": 0x10000,
  "kill-after": 0x10001,
  "kill-halfway": 0x10002,
} as const;
export type Action = keyof typeof actions;

/** From the matching call number `skip` (from 0) on, `times` calls meet with `action`. */
export interface Rule {
  on: readonly Operation[];
  action: Action;
  skip?: number;
  times?: number;
  /** Concerns paths within the folder that contain this; all when left out. */
  path?: string;
}

export type Preload = ReturnType<typeof createPreload>;

/** Places in the control file, as in preload/control.h. */
const at = { clock: 0, operations: 8, action: 12, skip: 16, times: 24, fired: 32, budget: 40, path: 48 };
const CONTROL_BYTES = 4096;

/**
 * What a program's view of its data folder and of the time can be made to be, while it runs: a preload of its own for a
 * program whose files lie in `folder`; its own files lie in `own`. With `log` every write is logged.
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
      // The mask goes last and comes first, so that no half rule is ever in force.
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
    /** How often rules have acted so far. */
    fired: () => read64(at.fired),
    /** Bytes that may still be written; null for no limit. */
    setBudget: (bytes: number | null) => write64(at.budget, bytes ?? -1),
    /** Shifts the wall clock from now on; the monotonic clock stays. */
    shiftClock: (ms: number) => write64(at.clock, ms),
    /** Bytes of the write log so far; what was acknowledged before is in it. */
    logBytes: () => statSync(logFile).size,
  };
}

let built: string[] | null = null;

/** Compiles the preloads with the machine's C compiler, once in a process. */
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
