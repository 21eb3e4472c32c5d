import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { LossPage } from "@comanda/protocol";
import { checksOf, compareLedger, createLedger, type Difference } from "../faults/ledger.ts";
import { getJson, postJson, readHub } from "../faults/read-hub.ts";
import { openTestBed, type TestBed } from "../faults/test-bed.ts";
import type { Target } from "./attackers/floods.ts";
import type { AttackerGroup } from "./attackers/main.ts";
import { startHonest, actions, honestDevices, type Action, type Honest, type Observed } from "./honest.ts";

export interface Latencies {
  quiet: number;
  /** During the first moments of the floods. */
  onset: number;
  hostile: number;
}

export interface Outcome {
  /** The 99th percentile of each honest action in a time window, in ms; the median over several windows. */
  p99: Record<Action, Latencies>;
  /** Refusals of honest clients during the floods. */
  refusals: string[];
  /** The hub's peak memory in MiB. */
  peakMiB: number;
  /** Result of stopping the hub during the floods. */
  stop: { code: number | null; ms: number };
  /** Number of restores or lost changes that the hub recorded although there were none. */
  falseLosses: number;
  /** Acknowledged changes that are missing or duplicated after the next start. */
  differences: Difference[];
  /** Log lines of the hub with level error or fatal. */
  errors: string[];
}

/** Highest allowed ratio of an honest action's latency with floods to that without. */
export const MAX_RATIO = 3;
/**
 * Limits the hub's young generation to that of the desktop app, whose V8 compresses pointers. Node alone lets it grow to twice
 * as much, and whether it does in a run depends on chance.
 */
const YOUNG_GENERATION = "--max-semi-space-size=32";
const BACK_OFFICE_MS = 150;
const SETTLE_MS = 2_000;
/** Ms in which the floods open some 2,000 connections and use up their bursts; measured separately. */
const ONSET_MS = 2_000;
const WINDOWS = 5;
/** Ms in which a window that has no sample of an action yet is prolonged: longer than an action may take. */
const MAX_EMPTY_MS = 20_000;
const screens = path.resolve(import.meta.dirname, "../../dist/renderer");

/** Measures a quiet time, then the same work under all floods of one kind, then a stop of the hub during them. */
export async function runHostile(options: {
  group: AttackerGroup;
  quietMs: number;
  hostileMs: number;
}): Promise<Outcome> {
  const { group, quietMs, hostileMs } = options;
  const bed = await openTestBed(() => ({ NODE_OPTIONS: YOUNG_GENERATION }));
  let attackers: ChildProcess | undefined;
  try {
    const { restaurant } = bed;
    const target = await chooseTarget(bed);
    const faults = [{ path: "/web/session/get_session_info", latencyMs: BACK_OFFICE_MS }];
    await postJson(`${restaurant.backOfficeUrl}/stub/v1/faults`, {}, { faults });
    const ledger = createLedger();
    const honest = await startHonest(bed, ledger);
    await pause(SETTLE_MS);
    const quiet = await watch(honest, quietMs);
    honest.observe();
    attackers = fork(path.join(import.meta.dirname, "attackers/main.ts"));
    await once(attackers, "message");
    const onset = honest.observe();
    attackers.send({ target, group });
    await pause(ONSET_MS);
    await samplesOfAll(onset);
    const hostile = await watch(honest, hostileMs);
    // A slow result is measured again, because the machine may have been busy; a slow hub would be slow again.
    const isSlow = actions.some((action) => medianP99(action, hostile) > MAX_RATIO * medianP99(action, quiet));
    const again = isSlow ? await watch(honest, hostileMs) : hostile;
    honest.observe();

    const hub = restaurant.hub();
    const peakMiB = peakOf(hub.pid);
    const stopping = honest.stop();
    const startedAt = performance.now();
    const code = await hub.stop();
    const stop = { code, ms: performance.now() - startedAt };
    await Promise.all([stopping, end(attackers)]);
    await restaurant.startHub();
    const view = await readHub(restaurant.hubUrl, bed.tokens, { expected: checksOf(ledger) });
    return {
      p99: Object.fromEntries(
        actions.map((action) => [action, compare(action, { quiet, onset: [onset], hostile, again })]),
      ) as Outcome["p99"],
      refusals: [...quiet, onset, ...hostile, ...again].flatMap((observed) => observed.refusals),
      peakMiB,
      stop,
      falseLosses: (await getJson<LossPage>(`${restaurant.hubUrl}/operator/v1/losses`, bed.tokens.manager)).restores
        .length,
      differences: compareLedger(ledger, view),
      errors: hub
        .output()
        .split("\n")
        .filter((line) => /"level":"(error|fatal)"/.test(line)),
    };
  } finally {
    if (attackers !== undefined) await end(attackers);
    await bed.restaurant.close();
  }
}

const manager = { login: "manager", password: "manager" };

async function chooseTarget(bed: TestBed): Promise<Target> {
  const key = { label: "Attacker", scopes: ["read", "orders:write", "webhooks:manage"] };
  const { token: apiKey } = await bed.post<{ token: string }>("/external-keys", key);
  const receivers = { label: "Receivers", scopes: ["read", "webhooks:manage"] };
  const { token: receiversKey } = await bed.post<{ token: string }>("/external-keys", receivers);
  const { user } = await bed.post<{ user: { id: number } }>("/terminal/v1/sign-in", manager);
  return {
    url: bed.restaurant.hubUrl,
    waiterToken: await bed.restaurant.token("waiter"),
    apiKey,
    receiversKey,
    managerId: user.id,
    honestDevices,
    largestFile: largestFile(),
  };
}

function largestFile(): string {
  const folder = path.join(screens, "assets");
  const [largest] = readdirSync(folder).sort(
    (a, b) => statSync(path.join(folder, b)).size - statSync(path.join(folder, a)).size,
  );
  if (largest === undefined) throw new Error("the screens are not built");
  return `/assets/${largest}`;
}

/** Observes several windows in turn, so that a hiccup of the machine spoils only one of them. */
async function watch(honest: Honest, ms: number): Promise<Observed[]> {
  const windows: Observed[] = [];
  for (let window = 0; window < WINDOWS; window += 1) {
    windows.push(honest.observe());
    await pause(ms / WINDOWS);
    await samplesOfAll(windows.at(-1)!);
  }
  return windows;
}

/** Waits until every action was measured in a window, because on a busy machine an action may take longer than a window. */
async function samplesOfAll({ latencies, refusals }: Observed): Promise<void> {
  const empty = (): Action[] => actions.filter((action) => latencies[action].length === 0);
  for (const until = performance.now() + MAX_EMPTY_MS; empty().length > 0; await pause(20)) {
    if (performance.now() > until) throw new Error([`no sample of ${empty().join(", ")}`, ...refusals].join("\n"));
  }
}

function compare(action: Action, observed: Record<"quiet" | "onset" | "hostile" | "again", Observed[]>): Latencies {
  const { quiet, onset, hostile, again } = observed;
  return {
    quiet: medianP99(action, quiet),
    onset: medianP99(action, onset),
    hostile: Math.min(medianP99(action, hostile), medianP99(action, again)),
  };
}

function medianP99(action: Action, windows: readonly Observed[]): number {
  return median(windows.map(({ latencies }) => p99(latencies[action])));
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function p99(latencies: number[]): number {
  const sorted = latencies.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

/** Returns a process's peak resident memory in MiB (Linux). */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  if (child.connected) child.send("stop");
  const timeout = setTimeout(() => child.kill("SIGKILL"), 2_000);
  await ended;
  clearTimeout(timeout);
}
