import { HOUR_MS, type StoredOrder } from "@comanda/protocol";
import { pino } from "pino";
import { realWorld } from "../../platform/world.ts";
import { connectTerminal, type TestTerminal } from "../support/connect-terminal.ts";
import { startFaultyLine } from "../support/faulty-line.ts";
import { manualClock } from "../support/manual-clock.ts";
import { operatorOf, type OperatorInput } from "../support/operator.ts";
import type { Answer } from "../support/send.ts";
import { settingsInMemory } from "../support/settings-in-memory.ts";
import { openSession, startTestHub } from "../support/start-test-hub.ts";
import { terminalApiOf } from "../support/terminal-api.ts";

export type Message = Record<string, unknown>;

export const timeZone = "America/Santo_Domingo";
export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const codeOf = (error: unknown): unknown => (error as { errorCode?: unknown } | null)?.errorCode;

export type CrashingHub = Awaited<ReturnType<typeof startCrashingHub>>;

/**
 * Starts a hub that can be killed in this process, with terminals and screens that repeat what a kill interrupted. Its time
 * runs ten times faster than real time, and its time-outs are a fifteenth.
 */
export async function startCrashingHub() {
  const clock = manualClock(Date.parse("2026-11-20T16:00:00Z"));
  const line = await startFaultyLine();
  const { timers } = realWorld(pino({ level: "silent" }));
  const timeoutSignal = (ms: number): AbortSignal => timers.timeoutSignal(Math.max(250, Math.round(ms / 15)));
  const env = {
    HUB_TIME_ZONE: timeZone,
    HUB_HEARTBEAT_MS: String(24 * HOUR_MS),
    HUB_UNCHECKED_CREDIT: "500",
  };
  const world = { ...clock.world, timers: { ...clock.world.timers, timeoutSignal } };
  const hub = await startTestHub({ ownBackOffice: true, line, env, world, ...settingsInMemory() });
  const ticker = setInterval(() => clock.advance(100), 10);
  const tokens = new Map<string, Promise<string>>();
  const keys = new Map<string, string | undefined>();
  const connected = new Map<string, TestTerminal>();
  let crashes = 0;
  let starting: Promise<void> = Promise.resolve();

  function crash(): Promise<void> {
    crashes += 1;
    starting = hub.crash();
    for (const terminal of connected.values()) terminal.socket.terminate();
    connected.clear();
    return starting;
  }

  /** Repeats what a kill of the hub or the end of a session interrupted, as terminals and screens do. */
  async function answered<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      await starting;
      const before = crashes;
      try {
        const answer = await work();
        // An answer that comes after the kill may be that of the old hub.
        if (crashes === before) return answer;
      } catch (error) {
        const isInterrupted = crashes !== before || /closed with 4(401|503)/.test(String(error));
        if (codeOf(error) !== undefined || !isInterrupted) throw error;
        tokens.clear();
        await wait(20);
      }
    }
  }

  const control = (...args: Parameters<typeof hub.backOffice.control>): Promise<unknown> =>
    answered(() => hub.backOffice.control(...args));

  function signIn(login: string): Promise<string> {
    const token = tokens.get(login) ?? openSession(hub.backOffice.url, login);
    tokens.set(login, token);
    token.catch(() => tokens.delete(login));
    return token;
  }

  const client = { signIn, send: hub.send };
  const [rawOperator, rawApi] = [operatorOf(client), terminalApiOf(client)];
  const operator = async (name: Parameters<typeof rawOperator>[0], input: OperatorInput = {}): Promise<Answer> => {
    const answer = await answered(() => rawOperator(name, input));
    if (answer.status < 500 && answer.status !== 401) return answer;
    // Signs in again, as a screen does. The back-office may have to answer first.
    if (answer.body.errorCode === "INTERNAL_ERROR") throw new Error(`${name} failed: ${JSON.stringify(answer.body)}`);
    tokens.clear();
    await wait(100);
    return operator(name, input);
  };

  async function terminalAt(deviceId: string, login = "cashier"): Promise<TestTerminal> {
    const existing = connected.get(deviceId);
    if (existing?.socket.readyState === 1) return existing;
    const before = crashes;
    const auth = { type: "AUTH", token: await signIn(login), deviceId, deviceKey: keys.get(deviceId) };
    const terminal = await connectTerminal(hub.url.replace("http", "ws"), auth);
    if (crashes !== before) {
      terminal.socket.terminate();
      throw new Error("signed in at the killed hub");
    }
    keys.set(deviceId, terminal.hello.deviceKey ?? keys.get(deviceId));
    connected.set(deviceId, terminal);
    return terminal;
  }

  const change = (device: string, message: Message) => {
    const mutation = { mutationId: crypto.randomUUID(), ...message };
    return answered(async () => (await terminalAt(device)).change(mutation));
  };
  const request = (device: string, message: Message, login?: string) => {
    const mutation = { mutationId: crypto.randomUUID(), ...message };
    return answered(async () => (await terminalAt(device, login)).request(mutation));
  };
  const orderOf = async (posReference: string): Promise<StoredOrder> =>
    (await operator("order", { params: { posReference } })).body.order;

  return {
    hub,
    clock,
    crash,
    answered,
    control,
    signIn,
    /** Ends all sessions of people. */
    forgetSessions: (): void => tokens.clear(),
    operator,
    api: rawApi,
    terminalAt,
    deviceKey: (deviceId: string): string | undefined => keys.get(deviceId),
    change,
    request,
    orderOf,
    async stop(): Promise<void> {
      await hub.stop();
      clearInterval(ticker);
    },
  };
}
