import { Agent, get, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { text } from "node:stream/consumers";
import { signIn } from "@comanda/terminal/node";
import { connectTerminal, type TestTerminal } from "../../hub/test/support/connect-terminal.ts";
import { withTimeout } from "../support/with-timeout.ts";
import type { Ledger } from "../faults/ledger.ts";
import { createRandom } from "../faults/random.ts";
import type { TestBed } from "../faults/test-bed.ts";
import { workCheck } from "../faults/work-check.ts";

/** Actions of honest clients, each measured separately. */
export const actions = [
  "a terminal's change",
  "a terminal's sign-in",
  "an integration's call",
  "a manager's call",
] as const;
export type Action = (typeof actions)[number];

/** Latencies in ms, and the actions that were refused or failed. */
export interface Observed {
  latencies: Record<Action, number[]>;
  refusals: string[];
}

export interface Honest {
  /** Starts a new record, which receives all measurements from now on. */
  observe(): Observed;
  /** Stops after the work in progress. */
  stop(): Promise<void>;
}

export const honestDevices = ["till-1", "till-2", "till-3", "till-4"];
/** Ms between a terminal's changes: sixteen a second in all, several times the rate of a full restaurant. */
const BETWEEN_CHANGES_MS = 250;
const BETWEEN_CALLS_MS = 60;

/**
 * Runs four terminals that work checks, two that keep reconnecting with a session that the hub does not know, an integration,
 * and a manager with a live stream. Each has its own address.
 */
export async function startHonest(bed: TestBed, ledger: Ledger): Promise<Honest> {
  const controller = new AbortController();
  const { signal } = controller;
  let observed = nothing();
  const { restaurant, tokens } = bed;
  const url = restaurant.hubUrl;

  async function measured<T>(action: Action, work: () => Promise<T>): Promise<T> {
    const into = observed;
    const startedAt = performance.now();
    try {
      return await withTimeout(action, work(), 10_000);
    } catch (error) {
      // At the end the hub is stopped during the work.
      if (!signal.aborted) into.refusals.push(`${action}: ${error instanceof Error ? error.message : String(error)}`);
      throw error;
    } finally {
      into.latencies[action].push(performance.now() - startedAt);
    }
  }

  /** Opens, works and pays one check after another. */
  async function till(deviceId: string, localAddress: string): Promise<void> {
    const auth = { type: "AUTH", token: tokens.cashier, deviceId };
    const terminal = await connectTerminal(restaurant.hubSocketUrl, auth, { localAddress });
    const slow: TestTerminal = {
      ...terminal,
      async change(message) {
        await pause(BETWEEN_CHANGES_MS);
        return measured("a terminal's change", () => terminal.change(message));
      },
    };
    const random = createRandom(deviceId);
    for (let check = 1; !signal.aborted; check += 1) {
      const posReference = `${deviceId}/${check}`;
      await workCheck(slow, {
        posReference,
        end: random.pick(["paid", "open", "sent"]),
        random,
        ledger,
        mark: () => 0,
      });
    }
    terminal.close();
  }

  /** Signs in with a session that the hub does not know, and disconnects. */
  async function newcomer(deviceId: string, localAddress: string): Promise<void> {
    while (!signal.aborted) {
      const token = await signIn(restaurant.backOfficeUrl, { login: "cashier", password: "cashier" });
      const auth = { type: "AUTH", token, deviceId };
      const terminal = await measured("a terminal's sign-in", () =>
        connectTerminal(restaurant.hubSocketUrl, auth, { localAddress }),
      ).catch(() => null);
      terminal?.close();
      await terminal?.closed;
      await pause(200);
    }
  }

  async function caller(
    action: Action,
    localAddress: string,
    headers: Record<string, string>,
    paths: string[],
  ): Promise<void> {
    const agent = new Agent({ keepAlive: true, localAddress });
    for (let call = 0; !signal.aborted; call += 1) {
      await pause(BETWEEN_CALLS_MS);
      // A refusal is recorded; the client goes on, so that later windows are measured too.
      await measured(action, () => getOk(`${url}${paths[call % paths.length]}`, headers, agent)).catch(() => {});
    }
    agent.destroy();
  }

  /** Follows the stream like a manager's screen; the stream must not end. */
  function follow(localAddress: string): void {
    const headers = { Authorization: `Bearer ${tokens.manager}` };
    const stream = get(`${url}/operator/v1/stream`, { headers, agent: false, localAddress }, (response) => {
      if (response.statusCode !== 200) observed.refusals.push(`the stream: ${response.statusCode}`);
      response.resume();
      response.on("close", () => !signal.aborted && observed.refusals.push("the stream ended"));
    });
    stream.on("error", () => {});
    signal.addEventListener("abort", () => stream.destroy());
  }

  const manager = { Authorization: `Bearer ${tokens.manager}` };
  follow("127.0.0.16");
  const work = [
    ...honestDevices.map((device, index) => till(device, `127.0.0.${11 + index}`)),
    newcomer("new-1", "127.0.0.17"),
    newcomer("new-2", "127.0.0.18"),
    caller("an integration's call", "127.0.0.15", { "X-API-Key": bed.apiKey }, [
      "/external/v1/orders?limit=20",
      "/external/v1/session",
    ]),
    caller("a manager's call", "127.0.0.16", manager, ["/operator/v1/overview", "/operator/v1/terminals"]),
  ].map((each) => each.catch(() => {}));
  return {
    observe: () => (observed = nothing()),
    async stop() {
      controller.abort();
      await Promise.all(work);
    },
  };
}

function nothing(): Observed {
  return { latencies: Object.fromEntries(actions.map((action) => [action, []])) as never, refusals: [] };
}

function getOk(address: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(address, { headers, agent, timeout: 10_000 }, (response) => {
      text(response).then((body) => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`${response.statusCode} ${body.slice(0, 120)}`));
      }, reject);
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("no answer within 10 s")));
    outgoing.on("error", reject);
    outgoing.end();
  });
}
