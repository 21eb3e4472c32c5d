import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type Database from "better-sqlite3";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { createChangeLog } from "../../changes/change-log.ts";
import { openDataFile } from "../../db/open.ts";
import { createMemory } from "../../db/remembered.ts";
import type { KeyHolder } from "../../keys/key-store.ts";
import { realWorld, type World } from "../../platform/world.ts";
import { createTableStore } from "../../tables/table-store.ts";
import { createTrustedTime } from "../../time/trusted-time.ts";
import { countWaiting } from "../../webhooks/count-waiting.ts";
import { createDeliveryStore } from "../../webhooks/deliveries/delivery-store.ts";
import { createDispatcher } from "../../webhooks/sending/dispatcher.ts";
import { createGatheredStore } from "../../webhooks/deliveries/gathered-store.ts";
import { createPruning } from "../../webhooks/prune.ts";
import { createSender } from "../../webhooks/sending/sender.ts";
import { createSubscriptionStore } from "../../webhooks/subscriptions/subscription-store.ts";
import { createWebhookService } from "../../webhooks/webhook-service.ts";
import { manualClock } from "../support/manual-clock.ts";
import type { Receiver } from "../support/start-receiver.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

export const key: KeyHolder = { keyId: "test", label: "Test", scopes: ["webhooks:manage"], writer: "ext:test" };

/** Opens the webhook package on a new data file and clock, with one subscription to `table.updated`. */
export async function openWebhooks(receiver: Receiver, clock = manualClock(Date.parse("2026-11-20T12:00:00Z"))) {
  const folder = mkdtempSync(path.join(tmpdir(), "hub-webhooks-"));
  const file = path.join(folder, "hub.sqlite");
  const world: World = { ...realWorld(pino({ level: "silent" })), ...clock.world };
  let setup = open();
  onTestFinished(async () => {
    await setup.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function open() {
    const dataFile = openDataFile({ file, backupDir: path.join(folder, "backups"), world });
    const { db, cipher } = dataFile;
    const changes = createChangeLog(db, world);
    const subscriptions = createSubscriptionStore({ world, db, cipher, changes });
    const deliveries = createDeliveryStore(db);
    const gathered = createGatheredStore(db);
    const sender = createSender(world, () => 0);
    const memory = createMemory(db);
    const dispatcher = createDispatcher({
      world,
      changes,
      memory,
      subscriptions,
      deliveries,
      gathered,
      sender,
      everyMs: 5 * SECOND,
    });
    const webhooks = createWebhookService({
      world,
      changes,
      subscriptions,
      deliveries,
      gathered,
      dispatcher,
      sender,
      port: () => 0,
      note: () => {},
    });
    const time = createTrustedTime({ world, memory, changes, onDisagreement: () => {} });
    const pruning = createPruning({ world, time, changes, deliveries, gathered, subscriptions });
    const tables = createTableStore(db);
    changes.addRecorder(dispatcher.record);
    changes.addListener(dispatcher.announce);
    return {
      /** Direct access to the data file, bypassing the stores. */
      sql: (): Database.Database => db,
      changes,
      subscriptions,
      waiting: countWaiting({ subscriptions, deliveries, gathered }),
      deliveries,
      dispatcher,
      webhooks,
      pruning,
      /** Changes the status of a table, which emits one event. */
      change: (tableId: number, status: "occupied" | "available") =>
        changes.write((tx) => tx.emit(tables.save(tx, tableId, "till-1", { status }))),
      async close() {
        await pruning.stop();
        await dispatcher.stop();
        dataFile.close();
      },
    };
  }

  await setup.dispatcher.start();
  const subscription = await setup.webhooks.create({ url: receiver.url, events: ["table.updated"] }, key);
  return {
    clock,
    subscription,
    current: () => setup,
    /** Reopens everything from the data file, as after a restart of the process. */
    async reopen(meanwhile?: () => void) {
      await setup.close();
      meanwhile?.();
      setup = open();
    },
  };
}
