import { HqDoctor, HqLogs, type HqCheckDetail } from "@comanda/protocol/headquarters.ts";
import { StoredOrder } from "@comanda/protocol";
import { type RestaurantStatus, requireRestaurant } from "../alerts/restaurants.ts";
import { recordAudit } from "../db/audit.ts";
import type { Database } from "../db/database.ts";
import type { Caller } from "../people/sessions.ts";
import type { AskRestaurant } from "../questions/ask-restaurant.ts";
import { Refusal } from "../refusal.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

/** Returns the routes whose answers come from a restaurant's hub. */
export function questionRoutes({ database, ask, now }: { database: Database; ask: AskRestaurant; now: () => number }) {
  /** Records in the audit log who asks a restaurant. Throws NOT_FOUND if the restaurant is not in the caller's scope. */
  async function auditQuestion(caller: Caller, id: string, detail: Record<string, unknown>): Promise<RestaurantStatus> {
    const restaurant = await requireRestaurant(database, scopeOf(caller), id);
    await recordAudit(database, now(), { person: caller.login, action: "restaurant.asked", restaurantId: id, detail });
    return restaurant;
  }

  async function storedCheck(id: string, posReference: string): Promise<StoredOrder | null> {
    const [row] = await database.query<{ body: unknown }>(
      `SELECT coalesce(body, removal->'last') AS body FROM checks
       WHERE restaurant_id = $1 AND pos_reference = $2 AND NOT is_gone`,
      [id, posReference],
    );
    const read = StoredOrder.safeParse(row?.body);
    return read.success ? read.data : null;
  }

  return {
    async check({ caller, id, query: { posReference } }): Promise<HqCheckDetail> {
      const { copyOf: at } = await auditQuestion(caller, id, { what: "check", posReference });
      try {
        const order = await ask(id, "check", { by: caller.name, posReference }, StoredOrder);
        return { order, copyOf: null };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const order = await storedCheck(id, posReference);
        if (order !== null && at !== null) return { order, copyOf: at.toISOString() };
        throw error.code === "UNREACHABLE" ? error : new Refusal("NOT_FOUND", "nobody has that check");
      }
    },

    async doctor({ caller, id }) {
      await auditQuestion(caller, id, { what: "doctor" });
      return ask(id, "doctor", { by: caller.name }, HqDoctor);
    },

    async logs({ caller, id }) {
      await auditQuestion(caller, id, { what: "logs" });
      return { lines: await ask(id, "logs", { by: caller.name }, HqLogs) };
    },
  } satisfies Partial<Handlers>;
}
