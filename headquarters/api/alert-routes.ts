import { DAY_MS } from "@comanda/protocol";
import { clearedAlerts, openAlerts, takeAlert } from "../alerts/alert-store.ts";
import type { Database } from "../db/database.ts";
import { recordAudit } from "../db/audit.ts";
import { Refusal } from "../refusal.ts";
import type { News } from "./news.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

const WEEK_MS = 7 * DAY_MS;

export function alertRoutes({ database, news, now }: { database: Database; news: News; now: () => number }) {
  return {
    async alerts({ caller }) {
      const scope = scopeOf(caller);
      const [open, cleared] = await Promise.all([
        openAlerts(database, scope),
        clearedAlerts(database, scope, now() - WEEK_MS),
      ]);
      return { open, ...cleared };
    },
    async takeAlert({ caller, id, body: { isTaken } }) {
      const isId = /^\d{1,15}$/.test(id);
      const alert = await database.transaction(async (queries) => {
        const updated = isId
          ? await takeAlert(queries, Number(id), scopeOf(caller), isTaken ? caller.name : null)
          : null;
        if (updated === null) throw new Refusal("NOT_FOUND", "no open alert has this id");
        await recordAudit(queries, now(), {
          person: caller.login,
          action: isTaken ? "alert.taken" : "alert.left",
          ...(updated.restaurantId === null ? {} : { restaurantId: updated.restaurantId }),
          detail: { kind: updated.kind, since: updated.since },
        });
        return updated;
      });
      news.notify("alerts");
      return alert;
    },
  } satisfies Partial<Handlers>;
}
