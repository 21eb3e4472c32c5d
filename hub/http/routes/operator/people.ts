import { requireFound } from "../../../platform/errors.ts";
import { isoTime } from "../../../platform/world.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import { requireNumber } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

type Deps = Pick<Stores, "changes" | "audit" | "people">;

export function operatorPeopleRoutes({ changes, audit, people }: Deps) {
  return {
    people: () => ({
      people: people.list().map(({ person, pinSetAt, isTooShort, lockedDevices, lockedUntil }) => ({
        id: person.userId,
        name: person.userName,
        role: person.role,
        pinSetAt: isoTime(pinSetAt),
        ...(isTooShort && { tooShort: true as const }),
        ...(lockedUntil !== null && { passwordOnlyUntil: isoTime(lockedUntil) }),
        locked: lockedDevices.map(({ deviceId, lockedUntil }) => ({
          terminalId: deviceId,
          until: isoTime(lockedUntil),
        })),
      })),
    }),

    async resetPin({ params: { userId }, manager }) {
      await changes.write((tx) => {
        const person = requireFound(people.resetPin(requireNumber(userId, "person")), `user ${userId} has no PIN`);
        // The name is recorded too: a person without a PIN is on no list to look the id up in.
        audit.record(tx, manager.userName, "person.reset_pin", userId, person.userName);
        tx.notify(["people"]);
      });
      return { deleted: true };
    },
  } satisfies Partial<OperatorHandlers>;
}
