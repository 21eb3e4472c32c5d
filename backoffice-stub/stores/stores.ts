import type { Db } from "../db/open.ts";
import type { World } from "../world.ts";
import { createAuditEvents } from "./audit-events.ts";
import { createCatalog } from "./catalog.ts";
import { createCreditNotes } from "./credit-notes.ts";
import { createCustomers } from "./customers.ts";
import { createFloors } from "./floors.ts";
import { createNcfNumbers } from "./ncf-numbers.ts";
import { createOrders } from "./orders.ts";
import { createPosSessions } from "./pos-sessions.ts";
import { createReleases } from "./releases.ts";
import { createSettings } from "./settings.ts";
import { createUserSessions } from "./user-sessions.ts";
import { createUsers } from "./users.ts";

export type Stores = ReturnType<typeof createStores>;

/** Everything that is kept in the file. */
export function createStores(db: Db, world: World) {
  return {
    settings: createSettings(db),
    posSessions: createPosSessions(db),
    users: createUsers(db),
    userSessions: createUserSessions(db, world),
    floors: createFloors(db),
    catalog: createCatalog(db),
    customers: createCustomers(db),
    orders: createOrders(db),
    ncfNumbers: createNcfNumbers(db),
    creditNotes: createCreditNotes(db),
    auditEvents: createAuditEvents(db),
    releases: createReleases(db),
  };
}
