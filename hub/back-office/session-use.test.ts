import { pino } from "pino";
import { expect, it } from "vitest";
import { openMemory } from "../db/open.ts";
import { realWorld } from "../platform/world.ts";
import { BackOfficeError } from "./back-office-error.ts";
import { createIdentityStore } from "./identity-store.ts";
import { createSessionUse } from "./session-use.ts";
import { createTerminalSessions } from "./terminal-sessions.ts";
import { createTokenRotations } from "./token-rotations.ts";

it("later calls follow a session that a repeated call has rotated again [TAPI-37]", async () => {
  const world = realWorld(pino({ level: "silent" }));
  const db = openMemory(world);
  const store = createIdentityStore(db, world);
  const waiter = { userId: 1, userName: "Ana", role: "waiter" as const, permissions: [], login: "ana" };
  store.save(store.digestOf("s1"), waiter, 1);
  const terminalSessions = createTerminalSessions(db, world);
  const time = { latest: () => 1 };
  const { useSession } = createSessionUse({ time, store, terminalSessions, rotations: createTokenRotations() });
  // Simulates a back-office that rotates the session with every call and ends the old one immediately.
  let live = 1;
  const call = async (token: string) => {
    if (token !== `s${live}`) throw new BackOfficeError("session_dead", "it was rotated");
    live += 1;
    return { value: token, token: `s${live}` };
  };
  let isFirst = true;
  const overtaken = useSession("s1", async (token) => {
    if (isFirst) {
      isFirst = false;
      await useSession("s1", call);
    }
    return call(token);
  });
  expect(await overtaken).toBe("s2");
  expect(await useSession("s1", call)).toBe("s3");
});
