import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { DrillReport, HealthReport } from "@comanda/protocol";
import { readHubConfig, type HubConfig } from "../../settings/config.ts";
import type { World } from "../../platform/world.ts";
import { startPracticeBackOffice, type PracticeRestaurant } from "../../practice/practice-back-office.ts";
import { connectPracticeTerminal, type PracticeTerminal } from "../../practice/practice-terminal.ts";
import type { PracticeHub } from "../../practice/run-practice.ts";

export interface DrillHub extends PracticeHub {
  health(): HealthReport;
}

const TOKEN = "practice";
/** A restaurant without a menu: the drill's checks name their own price. */
const emptyRestaurant: PracticeRestaurant = {
  bootstrap: {
    config: {
      id: 1,
      name: "Practice",
      currency: "",
      hubMode: true,
      hubAddress: "",
      floors: [],
      taxes: [],
      products: [],
      categories: [],
      paymentMethods: [],
    },
    session: { id: 1, name: "Practice", state: "opened" },
    minClientVersion: null,
  },
  account: { login: "practice", password: "practice" },
  ownToken: TOKEN,
  personOf: () => ({ userId: 1, userName: "Practice", role: "manager", permissions: [], login: "practice" }),
};

const SALES = 20;
const WITHIN_MS = 30_000;
const POLL_MS = 50;

/**
 * Demonstrates an outage of the back-office on a separate hub with its own file: checks are paid before and during the outage,
 * and afterwards each must be booked exactly once.
 */
export async function runDrill(world: World, build: (config: HubConfig) => DrillHub): Promise<DrillReport> {
  const folder = mkdtempSync(path.join(tmpdir(), "comanda-drill-"));
  const office = await startPracticeBackOffice(emptyRestaurant);
  const hub = build(practiceConfig(office.url, folder));
  try {
    const { port } = await hub.start();
    const terminal = await connectPracticeTerminal(world, { port, token: TOKEN, deviceId: "practice" });
    const references = Array.from({ length: 2 * SALES }, (_, index) => `PRACTICE/${index + 1}`);
    for (const reference of references.slice(0, SALES)) await sell(terminal, reference);
    // The first sales must arrive before the cut, so that the queue then counts only later ones.
    await until(world, () => hub.health().pendingForward === 0);
    office.cut();
    for (const reference of references.slice(SALES)) await sell(terminal, reference);
    const queuedWhileCut = hub.health().pendingForward;
    office.repair();
    await until(world, () => hub.health().pendingForward === 0);
    terminal.close();
    const bookings = office.bookings();
    const booked = new Set(bookings);
    return {
      paidWhileCut: SALES,
      queuedWhileCut,
      forwardedAfter: references.slice(SALES).filter((reference) => booked.has(reference)).length,
      lost: references.filter((reference) => !booked.has(reference)).length,
      twice: bookings.length - booked.size,
    };
  } finally {
    await hub.stop();
    await office.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Opens a check and takes its payment. Resolves when the hub has stored both. */
async function sell(terminal: PracticeTerminal, posReference: string): Promise<void> {
  const line = { id: "1", productId: "practice", quantity: 1, unitPrice: 1, total: 1 };
  const snapshot = { orderType: "takeout", lines: [line] };
  await terminal.change({ type: "ORDER_UPSERT", posReference, baseVersion: 0, snapshot });
  const payments = [{ methodId: 1, amount: 1 }];
  await terminal.change({ type: "ORDER_PAY", posReference, baseVersion: 1, payments });
}

function practiceConfig(url: string, folder: string): HubConfig {
  return readHubConfig({
    ERP_URL: url,
    ERP_USER: "practice",
    ERP_PASSWORD: "practice",
    HUB_NAME: "Practice",
    HUB_HOST: "127.0.0.1",
    HUB_HTTP_PORT: "0",
    HUB_DB_PATH: path.join(folder, "practice.sqlite"),
    HUB_MDNS_ENABLED: "false",
    HUB_FORWARD_INTERVAL_MS: "200",
    HUB_STATE_POLL_MS: "200",
  });
}

/** Polls until the condition holds or time is up; the counts then show what is missing. */
async function until(world: World, isDone: () => boolean): Promise<void> {
  const startedAt = world.clock.monotonic();
  while (!isDone() && world.clock.monotonic() - startedAt < WITHIN_MS) {
    await new Promise<void>((resolve) => void world.timers.setTimeout(resolve, POLL_MS));
  }
}
