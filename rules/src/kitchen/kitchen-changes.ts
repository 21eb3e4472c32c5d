import type { Snapshot, StoredLine } from "@comanda/protocol";
import type { CheckChange, ServiceChanges } from "../outcome.ts";
import type { ServiceState } from "../state.ts";
import { isoTime } from "../time.ts";
import type { KitchenDraft } from "./kitchen-draft.ts";
import { sameKitchenFields, withKitchenFields } from "./kitchen-fields.ts";
import type { Part } from "./shares.ts";

/** The result of a change of tickets: the tickets, and new versions of the checks whose lines changed with them. */
export type KitchenChanges = Pick<ServiceChanges, "checks" | "tickets">;

/**
 * Returns the changes in a draft. Checks in `skip` are skipped, because the caller writes them. Checks in `always` get a
 * version even if their lines do not change. `change` is applied to each new snapshot.
 */
export function kitchenChanges(
  state: Pick<ServiceState, "order">,
  draft: KitchenDraft,
  options: {
    now: number;
    /** The kind of the checks' new versions. */
    kind?: CheckChange["kind"];
    skip?: readonly string[];
    always?: readonly string[];
    change?: (snapshot: Snapshot) => Snapshot;
  },
): KitchenChanges {
  const { now, kind = "bumped", skip = [], always = [], change = (snapshot) => snapshot } = options;
  const tickets = draft.settle(isoTime(now));
  if (tickets.length === 0) return { checks: [], tickets };
  const holders = tickets.flatMap((ticket) => ticket.lines.flatMap((line) => line.shares));
  const checks: CheckChange[] = [];
  for (const posReference of new Set([...always, ...holders.map((share) => share.posReference)])) {
    const previous = skip.includes(posReference) ? null : state.order(posReference);
    if (previous === null) continue;
    draft.include(posReference);
    const lines = previous.snapshot.lines.map((line) => lineWithParts(line, draft.parts(posReference, line.id)));
    const isShown = lines.some((line, at) => !sameKitchenFields(line, previous.snapshot.lines[at]));
    if (isShown || always.includes(posReference)) {
      checks.push({ previous, snapshot: change({ ...previous.snapshot, lines }), kind });
    }
  }
  return { checks, tickets };
}

/** A line whose ticket is no longer stored keeps its fields. */
function lineWithParts(line: StoredLine, parts: readonly Part[]): StoredLine {
  return parts.length === 0 ? line : withKitchenFields(line, parts);
}
