import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";
import type { Bench } from "../lib/bench.ts";
import { createKey, type StandIn, startHub } from "../lib/hub.ts";
import type { Program } from "../lib/program.ts";
import type { Target } from "../load/flavour.ts";
import { connectYearTerminal, type SyncedOrder, type YearTerminal } from "../year/terminal.ts";
import { RETENTION } from "../year/tidy-up.ts";
import { STATIONS } from "../year/write-lives.ts";
import { yearOrder } from "../year/year-order.ts";

const PING_EVERY_MS = 5;
const WRITE_EVERY_MS = 20;
const ATTEMPTS = 100;
const rates = { HUB_EXTERNAL_RATE_MAX: "100000", HUB_EXTERNAL_KEY_RATE_MAX: "100000" };
const retention = { HUB_RETENTION_DAYS: String(RETENTION.retentionDays) };
/** A start that first checks a large file may take minutes. */
const READY_WITHIN_MS = 600_000;

/** A data file with some days of history, and its hub's backup folder. */
export interface Subject {
  /** The age as the report names it, such as `three years`. */
  age: string;
  days: number;
  folder: string;
  dbPath: string;
  backupDir: string;
}

/** How long other clients waited during an action. Times in ms. */
export interface Watched {
  tookMs: number;
  /** The longest response of /health, requested every 5 ms, or of a terminal's write, whichever was longer. */
  longestMs: number;
  longestWriteMs: number;
}

/** A hub on a file of some age, with a terminal that keeps writing. */
export interface YearHub {
  subject: Subject;
  program: Program;
  target: Target;
  /** The position in the shared state up to which its terminal has received everything. */
  since: YearTerminal["since"];
  /** Sends a request as a manager, or as an integration below /external; reads the response to its end and discards it. */
  request: (method: "GET" | "POST", path: string) => Promise<void>;
  requestJson: <T>(method: "GET" | "POST", path: string) => Promise<T>;
  /** Runs `work` while other clients send requests and write. */
  watch: (work: () => Promise<unknown>) => Promise<Watched>;
  /** Edits each active order that accepts edits once; returns how many. */
  editActive: () => Promise<number>;
  stop: () => Promise<void>;
  /** Kills the hub with SIGKILL in the middle of a write. */
  killWhileWriting: () => Promise<void>;
}

export const settingsOf = (subject: Subject, standIn: StandIn) => ({
  standIn,
  dbPath: subject.dbPath,
  env: { ...rates, ...retention, HUB_STATIONS: JSON.stringify(STATIONS), HUB_BACKUP_DIR: subject.backupDir },
  readyWithinMs: READY_WITHIN_MS,
});

let hubs = 0;

/** Starts a hub on the file, with a terminal that writes its own order. */
export async function startYearHub(bench: Bench, standIn: StandIn, subject: Subject): Promise<YearHub> {
  const { program, target } = await startHub(bench, settingsOf(subject, standIn));
  hubs += 1;
  const deviceId = `year-${hubs}`;
  const key = await createKey(program.url, standIn);
  let terminal = await connectYearTerminal(program.url, standIn.managerToken, deviceId);
  // A measured request may take minutes.
  const pool = new Pool(program.url, { connections: 4, headersTimeout: 0, bodyTimeout: 0 });
  const headers = { ...key, authorization: `Bearer ${standIn.managerToken}`, "content-type": "application/json" };
  let order = newOrder();
  const edited = terminal.orders.filter(({ snapshot }) => ["open", "sent", "changed"].includes(snapshot.status));

  async function request(method: "GET" | "POST", path: string) {
    const body = method === "POST" ? "{}" : null;
    const answer = await pool.request({ method, path, headers, body });
    if (answer.statusCode >= 300) {
      throw new Error(`${method} ${path}: ${answer.statusCode} ${(await answer.body.text()).slice(0, 200)}`);
    }
    return answer.body;
  }

  async function write(): Promise<void> {
    const snapshot = yearOrder(9_000, order.version % 10, null);
    const { posReference, version: baseVersion } = order;
    const answer = await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion, snapshot });
    order.version = answer.version;
  }

  /** Reconnects the terminal: a hub that was blocked for long has dropped it. */
  async function reconnect(): Promise<void> {
    await terminal.close();
    terminal = await connectYearTerminal(program.url, standIn.managerToken, deviceId);
    // The last write may or may not have been stored, so a new order is begun.
    order = newOrder();
  }

  async function drop(): Promise<void> {
    await terminal.close();
    await pool.destroy();
  }

  return {
    subject,
    program,
    target,
    since: () => terminal.since(),
    async request(method, path) {
      for await (const chunk of await request(method, path)) void chunk;
    },
    requestJson: async <T>(method: "GET" | "POST", path: string) => (await (await request(method, path)).json()) as T,
    async watch(work) {
      let isOver = false;
      const longest = { ping: 0, write: 0 };
      const repeat = async (name: "ping" | "write", everyMs: number, once: () => Promise<void>): Promise<void> => {
        while (!isOver) {
          const at = performance.now();
          await untilDone(once, name === "write" ? reconnect : () => pause(everyMs));
          longest[name] = Math.max(longest[name], performance.now() - at);
          await pause(everyMs);
        }
      };
      const ping = async (): Promise<void> => {
        await (await pool.request({ method: "GET", path: "/health" })).body.dump();
      };
      const watching = Promise.all([repeat("ping", PING_EVERY_MS, ping), repeat("write", WRITE_EVERY_MS, write)]);
      // Awaited below; avoids an unhandled rejection.
      watching.catch(() => undefined);
      await pause(250);
      // The first requests open connections and warm up the code.
      Object.assign(longest, { ping: 0, write: 0 });
      const startedAt = performance.now();
      try {
        await work();
      } finally {
        isOver = true;
      }
      const tookMs = performance.now() - startedAt;
      await watching;
      return { tookMs, longestMs: Math.max(longest.ping, longest.write), longestWriteMs: longest.write };
    },
    async editActive() {
      await Promise.all(edited.map((each) => edit(terminal, each)));
      return edited.length;
    },
    async stop() {
      if (order.version > 0) {
        const { posReference, version: baseVersion } = order;
        await terminal.change({ type: "ORDER_DISCARD", posReference, baseVersion, reason: "end of the measurement" });
      }
      await drop();
      await program.stop();
    },
    async killWhileWriting() {
      for (let n = 0; n < 50; n += 1) await write();
      const last = write().catch(() => undefined);
      await program.kill();
      await last;
      await drop();
    },
  };
}

/** Retries `once` until it succeeds, calling `repair` in between, so that the wait includes lost connections. */
async function untilDone(once: () => Promise<void>, repair: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await once();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await repair().catch(() => pause(100));
    }
  }
}

function newOrder(): { posReference: string; version: number } {
  return { posReference: `Orden W${randomUUID()}`, version: 0 };
}

async function edit(terminal: YearTerminal, order: SyncedOrder): Promise<void> {
  const { posReference, version: baseVersion, snapshot } = order;
  const answer = await terminal.change({
    type: "ORDER_UPSERT",
    posReference,
    baseVersion,
    snapshot: { ...snapshot, notes: `after version ${baseVersion}` },
  });
  order.version = answer.version;
}
