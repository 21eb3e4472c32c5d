import { openAlerts } from "../alerts/alert-store.ts";
import { requireRestaurant } from "../alerts/restaurants.ts";
import { newCode } from "../codes.ts";
import type { Database } from "../db/database.ts";
import type { Enrolment } from "../enrolment/enrolment.ts";
import { recordAudit } from "../db/audit.ts";
import { Refusal } from "../refusal.ts";
import { forgetDays } from "../sums/forget-days.ts";
import type { News } from "./news.ts";
import { presentRow, type PresenceNow } from "./now-route.ts";
import { readDetails } from "./restaurant-details.ts";
import { scopeOf } from "./scope.ts";
import type { Handlers } from "./serve-api.ts";

export function restaurantRoutes(deps: {
  database: Database;
  news: News;
  now: () => number;
  presence: PresenceNow;
  enrolment: Pick<Enrolment, "admit" | "createCode" | "cut" | "revoke">;
}) {
  const { database, news, now, presence, enrolment } = deps;

  return {
    async restaurant({ caller, id }) {
      const restaurant = await requireRestaurant(database, scopeOf(caller), id);
      const alerts = await openAlerts(database, scopeOf(caller), id);
      const { contact, hubId, addedAt, enrolledAt } = restaurant;
      return {
        ...presentRow(restaurant, alerts, presence(restaurant)),
        contact,
        openAlerts: alerts,
        hubId,
        addedAt,
        enrolledAt,
        ...(await readDetails(database, id, now())),
      };
    },

    async addRestaurant({ caller, body: { name, groups } }) {
      const id = newId();
      await database.transaction(async (queries) => {
        await queries.query("INSERT INTO restaurants (id, name, created_at, groups) VALUES ($1, $2, $3, $4)", [
          id,
          name,
          new Date(now()),
          storedGroups(groups),
        ]);
        const entry = { person: caller.login, action: "restaurant.added", restaurantId: id, detail: { name, groups } };
        await recordAudit(queries, now(), entry);
      });
      news.notify("now");
      return { id };
    },

    async changeRestaurant({ caller, id, body }) {
      await database.transaction(async (queries) => {
        const changed = await queries.query(
          `UPDATE restaurants SET name = coalesce($2, name), is_closed = coalesce($3, is_closed),
             contact = coalesce($4, contact), groups = coalesce($5, groups)
           WHERE id = $1 RETURNING id`,
          [
            id,
            body.name ?? null,
            body.isClosed ?? null,
            body.contact ?? null,
            body.groups === undefined ? null : storedGroups(body.groups),
          ],
        );
        if (changed.length === 0) throw new Refusal("NOT_FOUND", "there is no such restaurant");
        // A group's sums are those of the restaurants that are in it now.
        if (body.groups !== undefined) await forgetDays(queries, null);
        const entry = { person: caller.login, action: "restaurant.changed", restaurantId: id, detail: { ...body } };
        await recordAudit(queries, now(), entry);
        // A restaurant that is closed for good may no longer connect.
        if (body.isClosed === true) await enrolment.cut(queries, id, caller.login);
      });
      if (body.isClosed === true) await enrolment.admit();
      news.notify("now");
      return { done: true };
    },

    async enrolmentCode({ caller, id }) {
      await requireRestaurant(database, scopeOf(caller), id);
      const { code, expiresAt } = await enrolment.createCode(id, caller.login);
      await recordAudit(database, now(), {
        person: caller.login,
        action: "restaurant.enrolmentCode",
        restaurantId: id,
      });
      return { restaurantId: id, code, expiresAt: expiresAt.toISOString() };
    },

    async cutHub({ caller, id, query: { enrolledAt } }) {
      await requireRestaurant(database, scopeOf(caller), id);
      await enrolment.revoke(id, caller.login, enrolledAt);
      news.notify("now");
      return { done: true };
    },

    async groups({ caller }) {
      const groups = await database.query<{ name: string; restaurants: number }>(
        `SELECT name, count(*) AS restaurants FROM (SELECT unnest(groups) AS name FROM restaurants WHERE NOT is_closed) g
         WHERE $1::text[] IS NULL OR name = ANY($1) GROUP BY name ORDER BY name`,
        [scopeOf(caller)],
      );
      return { groups };
    },
  } satisfies Partial<Handlers>;
}

const storedGroups = (groups: readonly string[]): string[] => [...new Set(groups)].toSorted();

/** Returns a new restaurant id. It is part of NATS subjects and easy to read out on the phone. */
const newId = (): string => `r${newCode(9).toLowerCase()}`;
