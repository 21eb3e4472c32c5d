import type { Database } from "better-sqlite3";
import type { World } from "../../platform/world.ts";
import { backOffice } from "./schema/back-office.ts";
import { chain } from "./schema/chain.ts";
import { fiscal } from "./schema/fiscal.ts";
import { hub } from "./schema/hub.ts";
import { kitchen } from "./schema/kitchen.ts";
import { money } from "./schema/money.ts";
import { orders } from "./schema/orders.ts";
import { people } from "./schema/people.ts";
import { printing } from "./schema/printing.ts";
import { tables } from "./schema/tables.ts";
import { till } from "./schema/till.ts";
import { webhooks } from "./schema/webhooks.ts";

/** The schema by subject, in this order because triggers must follow the tables that they refer to. */
const parts = [hub, orders, tables, kitchen, money, fiscal, backOffice, webhooks, people, printing, till, chain];

/**
 * Creates the schema of the first release. Times are ms since 1970; JSON is text. `seq` is the hub's single counter of changes
 * to shared state, and `seal` is the checksum of a row.
 */
export function migrate(db: Database, world: World): void {
  for (const part of parts) db.exec(part);
  db.prepare(
    "INSERT INTO hub_state (id, hub_id, epoch, seq, low_water_seq, digest_key) VALUES (1, @hubId, @epoch, 0, 0, @digestKey)",
  ).run({ hubId: world.random.uuid(), epoch: world.random.uuid(), digestKey: world.random.bytes(32) });
}
