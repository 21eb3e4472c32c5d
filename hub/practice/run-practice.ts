import { statSync } from "node:fs";
import type { Person } from "../people/person.ts";
import type { World } from "../platform/world.ts";
import { readHubConfig, type HubConfig } from "../settings/config.ts";
import { startPracticeBackOffice } from "./practice-back-office.ts";
import { startPracticeCook } from "./practice-cook.ts";
import { PRACTICE_PIN, type PracticeEvent, type PracticeInput } from "./practice-messages.ts";
import { readPracticeSession, signPracticeSession } from "./practice-session.ts";

/** A hub to practise with. */
export interface PracticeHub {
  start(): Promise<{ port: number }>;
  stop(): Promise<void>;
}

/** How many PINs are set: the unknown sessions per minute that the practice hub accepts from one address, less a margin. */
const MAX_PINS = 40;
const MAX_FILE_BYTES = 128 * 1024 * 1024;
/** How often activity is reported. */
const REPORT_EVERY_MS = 5_000;

const own: Person = { userId: 1_000_000_001, userName: "Comanda", role: "manager", permissions: [], login: "practice" };
const cook: Person = { ...own, userId: 1_000_000_002, userName: "Cocina de práctica", role: "waiter" };

/** Runs a hub on its own file, with an automatic back-office and kitchen. Resolves when it listens. */
export async function runPractice(
  world: World,
  { env, bootstrap, people, secret, ended }: PracticeInput,
  build: (config: HubConfig) => PracticeHub,
  report: (event: PracticeEvent) => void,
): Promise<{ stop(): Promise<void> }> {
  const account = { login: "practice", password: secret };
  const office = await startPracticeBackOffice({
    bootstrap,
    account,
    ownToken: signPracticeSession(own, secret),
    personOf: (token) => readPracticeSession(token, secret),
    ended,
  });
  const config = readHubConfig({
    ...env,
    ERP_URL: office.url,
    ERP_USER: account.login,
    ERP_PASSWORD: account.password,
  });
  const hub = build(config);
  const { port } = await hub.start();

  let reportedAt = -Infinity;
  function noteActivity(): void {
    const now = world.clock.monotonic();
    if (now - reportedAt < REPORT_EVERY_MS) return;
    reportedAt = now;
    report({ type: isFull(config.dbPath) ? "full" : "active" });
  }

  const kitchen = await startPracticeCook(world, { port, token: signPracticeSession(cook, secret) }, noteActivity);
  await Promise.all(people.slice(0, MAX_PINS).map((person) => setPin(port, signPracticeSession(person, secret))));
  report({ type: "ready", port });
  return {
    async stop() {
      kitchen.stop();
      await hub.stop();
      await office.stop();
    },
  };
}

function isFull(file: string): boolean {
  const sizes = [file, `${file}-wal`].map((each) => statSync(each, { throwIfNoEntry: false })?.size ?? 0);
  return sizes.reduce((sum, size) => sum + size, 0) > MAX_FILE_BYTES;
}

/** Sets the practice PIN of a person, with their own session. */
async function setPin(port: number, token: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/terminal/v1/pin`, {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ pin: PRACTICE_PIN }),
  });
  await answer.arrayBuffer();
}
