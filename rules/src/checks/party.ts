import type { Snapshot, TerminalSnapshot } from "@comanda/protocol";
import { sum } from "../money/amounts.ts";
import type { ServiceState } from "../state.ts";
import { seatedSince } from "./seated-since.ts";

type OfParty = Pick<Snapshot, "partyId" | "posReference" | "tableId" | "seatedAt" | "createdAt">;

/** Returns the id of a check's party. The parts of a split check have the same party, and each states all of its guests. */
export function partyOf(check: OfParty): string {
  return check.partyId ?? `${check.tableId ?? check.posReference} ${seatedSince(check)}`;
}

/** What a check in a write inherits from the other checks of that write. */
export interface Origins {
  /** The checks that a new check's lines come from, or that are merged into an existing check. */
  checks: readonly Snapshot[];
  /** Those of them whose guests this check includes. */
  parties: readonly Snapshot[];
  /** The check is a part of a split, so other checks include its guests too. */
  isPart: boolean;
}

/**
 * Returns a lookup of the origins of each check in a write. A check merged into several brings its guests to the first. Dishes
 * that move to an existing check bring no guests and do not change when its party sat down.
 */
export function originsOf(
  { order }: Pick<ServiceState, "order">,
  contents: readonly { posReference: string; snapshot: TerminalSnapshot }[],
  merges: ReadonlyMap<string, readonly string[]>,
): (posReference: string) => Origins {
  const requestedById = new Map(contents.map(({ posReference, snapshot }) => [posReference, snapshot]));
  const present = contents.flatMap(({ posReference }) => order(posReference)?.snapshot ?? []);
  const parts = new Set<string>();
  const found = new Map(
    [...requestedById].map(([posReference, { lines = [], guestCount = 1 }]) => {
      if (order(posReference) !== null) {
        const merged = present.filter((check) => merges.get(check.posReference)?.[0] === posReference);
        return [posReference, { checks: merged, parties: merged }];
      }
      const ids = new Set(lines.map(({ id, splitOf = id }) => splitOf));
      const checks = present.filter((check) => check.lines.some(({ id }) => ids.has(id)));
      // Guests that an origin no longer counts have moved to this check and form their own party.
      const parties = checks.filter(
        (check) =>
          check.guestCount - (requestedById.get(check.posReference)?.guestCount ?? check.guestCount) < guestCount,
      );
      for (const each of [...parties, { posReference }]) parts.add(each.posReference);
      return [posReference, { checks, parties }];
    }),
  );
  return (posReference) => ({
    ...(found.get(posReference) ?? { checks: [], parties: [] }),
    isPart: parts.has(posReference),
  });
}

/**
 * Returns a check's party and number of guests after a write. The number is the one the writer names, else the sum over the
 * checks that it is made of, counting each party and table only once.
 */
export function nextParty(
  requestedGuests: number | undefined,
  before: Snapshot | undefined,
  { parties, isPart }: Pick<Origins, "parties" | "isPart">,
): Pick<Snapshot, "guestCount" | "partyId"> {
  const checks = before === undefined ? parties : [before, ...parties];
  const [first] = checks;
  if (first === undefined) return { guestCount: requestedGuests ?? 1 };
  const existingId = checks.find((check) => check.partyId !== undefined)?.partyId;
  const partyId = existingId ?? (isPart ? first.posReference : undefined);
  return {
    guestCount: requestedGuests ?? guestsTogether(checks, first),
    ...(partyId !== undefined && { partyId }),
  };
}

function guestsTogether(checks: readonly Snapshot[], first: Snapshot): number {
  const guests = new Map<string, number>();
  for (const check of checks) {
    const isBeside = check.tableId !== null && check.tableId === first.tableId;
    const party = partyOf(isBeside ? first : check);
    guests.set(party, Math.max(check.guestCount, guests.get(party) ?? 0));
  }
  return sum([...guests.values()]);
}
