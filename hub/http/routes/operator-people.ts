import type { AuditLog } from "../../operator/audit-log.ts";
import type { People } from "../../people/people.ts";
import { HubError } from "../../platform/errors.ts";
import { isoTime } from "../../platform/world.ts";
import { requireNumber } from "../cursor.ts";
import type { OperatorHandlers } from "../handlers.ts";
import type { ChangeLog } from "../../changes/change-log.ts";

interface Deps {
  changes: ChangeLog;
  audit: AuditLog;
  people: Pick<People, "list" | "resetPin">;
}

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
        if (!people.resetPin(requireNumber(userId, "person"))) {
          throw new HubError("NOT_FOUND", `user ${userId} has no PIN`);
        }
        audit.record(tx, manager.userName, "person.reset_pin", userId);
      });
      return { deleted: true };
    },
  } satisfies Partial<OperatorHandlers>;
}
