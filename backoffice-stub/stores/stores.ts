import type { Db } from "../db/open.ts";
import type { World } from "../world.ts";
import { createAuditEvents } from "./audit-events.ts";
import { createCatalog } from "./catalog.ts";
import { createCreditNotes } from "./credit-notes.ts";
import { createCustomers } from "./customers.ts";
import { createFloors } from "./floors.ts";
import { keyValueTable } from "./key-value-table.ts";
import { createNcfNumbers } from "./ncf-numbers.ts";
import { createOrders } from "./orders.ts";
import { createPosSessions } from "./pos-sessions.ts";
import { createReleases } from "./releases.ts";
import { createSignatures } from "./signatures.ts";
import { createUserSessions } from "./user-sessions.ts";

/** Names of the system parameters. */
export type SettingName = "restaurant" | "hub_mode" | "hub_address" | "min_client_version" | "rounding" | "currencies";

export type Stores = ReturnType<typeof createStores>;

/** All data in the file. */
export function createStores(db: Db, world: World) {
  return {
    settings: keyValueTable<SettingName>(db, "setting", "name", "value"),
    posSessions: createPosSessions(db),
    userSessions: createUserSessions(db, world),
    floors: createFloors(db),
    catalog: createCatalog(db),
    customers: createCustomers(db),
    orders: createOrders(db),
    ncfNumbers: createNcfNumbers(db),
    creditNotes: createCreditNotes(db),
    signatures: createSignatures(db),
    auditEvents: createAuditEvents(db),
    releases: createReleases(db),
  };
}
