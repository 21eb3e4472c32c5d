import { expect } from "vitest";
import { startTestHub, type TestHubOptions } from "./start-test-hub.ts";
import { terminalApiOf } from "./terminal-api.ts";

/** Starts a hub with a device that a manager has used and a waiter now uses. `pins` maps login names to their PINs. */
export async function startWithPins(pins: Record<string, string>, options: TestHubOptions = {}) {
  const hub = await startTestHub(options);
  const call = terminalApiOf(hub);
  const ids: Record<string, number> = {};
  for (const [login, pin] of Object.entries(pins)) {
    const token = await hub.signIn(login);
    expect((await call("setPin", { token, body: { pin } })).body).toEqual({ set: true });
    const signedIn = await call("signIn", { body: { login, password: login } });
    ids[login] = signedIn.body.user.id;
  }
  const manager = await hub.terminal({ login: "manager", deviceId: "tablet" });
  const deviceKey = manager.hello.deviceKey ?? "";
  const terminal = await hub.terminal({ login: "waiter", deviceId: "tablet", deviceKey });
  const enter = (login: string, pin: string, key = deviceKey, headers: Record<string, string> = {}) =>
    call("enterPin", { body: { deviceKey: key, userId: ids[login] ?? 0, pin }, headers });
  const actor = async (login: string): Promise<string> => (await enter(login, pins[login] ?? "")).body.actorToken;
  return { hub, call, ids, terminal, deviceKey, enter, actor };
}
