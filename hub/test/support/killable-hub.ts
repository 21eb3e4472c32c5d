import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { HubMessage, HubMessageOf } from "@comanda/protocol";
import { onTestFinished } from "vitest";
import type { TestTerminal } from "./connect-terminal.ts";
import { operatorOf } from "./operator.ts";
import { forgetConnections, send as sendOnce, type SendOptions } from "./send.ts";
import { startHubProgram } from "./start-hub-program.ts";
import { openSession, startBackOffice } from "./start-test-hub.ts";
import { terminalApiOf } from "./terminal-api.ts";

type Message = Record<string, unknown>;

/**
 * Starts a hub program that tests may kill during requests. Interrupted requests are retried after the restart until
 * answered, as terminals and screens do.
 */
export async function startKillableHub(env: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-killed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const backOffice = await startBackOffice();
  onTestFinished(() => backOffice.stop());
  const settings = {
    ERP_URL: backOffice.url,
    HUB_DB_PATH: path.join(folder, "hub.sqlite"),
    HUB_HTTP_PORT: "0",
    HUB_LOG_LEVEL: "silent",
    HUB_FORWARD_INTERVAL_MS: "200",
    HUB_STATE_POLL_MS: "200",
    ...env,
  };
  const tokens = new Map<string, Promise<string>>();
  const deviceKeys = new Map<string, string | undefined>();
  const connected = new Map<string, TestTerminal>();
  let running = startHubProgram(settings);
  /** Number of ended programs. */
  let exits = 0;

  function signIn(login: string): Promise<string> {
    const token = tokens.get(login) ?? openSession(backOffice.url, login);
    tokens.set(login, token);
    return token;
  }

  async function end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const program = await running;
    exits += 1;
    running = program.end(signal).then(() => {
      forgetConnections();
      connected.clear();
      return startHubProgram(settings);
    });
    await running;
  }

  /** Runs `work`, and retries it if a program ended meanwhile. */
  async function untilAnswered<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      await running;
      const exitsBefore = exits;
      try {
        return await work();
      } catch (error) {
        if (exits === exitsBefore) throw error;
      }
    }
  }

  async function terminal(deviceId: string, login: string): Promise<TestTerminal> {
    const existing = connected.get(deviceId);
    if (existing !== undefined) return existing;
    const { url, terminal: connect } = await running;
    const opened = await connect(await signIn(login), deviceId, { deviceKey: deviceKeys.get(deviceId) });
    // The program may have ended while the terminal signed in.
    if ((await running).url === url) connected.set(deviceId, opened);
    deviceKeys.set(deviceId, opened.hello.deviceKey ?? deviceKeys.get(deviceId));
    return opened;
  }

  const send = (method: string, target: string, options?: SendOptions) =>
    untilAnswered(async () => sendOnce((await running).url, method, target, options));
  const client = { send, signIn };

  return {
    backOffice,
    signIn,
    operator: operatorOf(client),
    api: terminalApiOf(client),

    /** Ends the program and restarts it on the same data file. */
    end,

    /** Kills the program `ms` ms after the call. Resolves when `work` and the restart are done. */
    async killDuring<T>(ms: number, work: Promise<T>): Promise<T> {
      const { promise: killed, resolve, reject } = Promise.withResolvers<void>();
      setTimeout(() => end("SIGKILL").then(resolve, reject), ms);
      const [answer] = await Promise.all([work, killed]);
      return answer;
    },

    /** Returns a user's terminal. A retried message keeps its mutation id. */
    at(deviceId: string, login: string) {
      return {
        deviceId,
        deviceKey: () => untilAnswered(() => terminal(deviceId, login)).then(() => deviceKeys.get(deviceId) ?? ""),
        change(message: Message): Promise<HubMessageOf<"ORDER_ACK">> {
          const mutationId = crypto.randomUUID();
          return untilAnswered(async () => (await terminal(deviceId, login)).change({ mutationId, ...message }));
        },
        request(message: Message): Promise<HubMessage> {
          const mutationId = crypto.randomUUID();
          return untilAnswered(async () => (await terminal(deviceId, login)).request({ mutationId, ...message }));
        },
      };
    },
  };
}
