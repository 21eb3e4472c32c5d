import type { HqAuditEntry } from "@comanda/protocol/headquarters.ts";
import type { z } from "zod";
import type { Database } from "../db/database.ts";
import type { People } from "../people/people.ts";
import type { Sent } from "../sent.ts";
import type { Handlers } from "./serve-api.ts";

export function peopleRoutes({ database, people }: { database: Database; people: People }) {
  return {
    people: async () => ({ people: await people.list() }),
    addPerson: ({ caller, body }) => people.add(body, caller),
    changePerson: ({ caller, id, body }) => people.change(id, body, caller),
    async audit() {
      const entries = await database.query<Sent<z.input<typeof HqAuditEntry>>>(
        `SELECT id, at, person, action, restaurant_id AS "restaurantId", detail
         FROM audit ORDER BY id DESC LIMIT 200`,
      );
      return { entries };
    },
  } satisfies Partial<Handlers>;
}
