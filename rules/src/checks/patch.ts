import type { Snapshot, StoredLine, UpdateOrder } from "@comanda/protocol";
import { MAX_AMOUNT } from "@comanda/protocol/bounds.ts";
import type { RuleContext } from "../context.ts";
import { planKitchenWrite } from "../kitchen/kitchen-write.ts";
import { sumOfLines } from "../money/sum-of-lines.ts";
import { changesOf, type Outcome, type Refusal } from "../outcome.ts";
import { refusalOfTotal } from "../payments/money-on-check.ts";
import type { ServiceState } from "../state.ts";
import { refusalOfLock, refusalOfVersion } from "./guards.ts";
import { mergePluginData } from "./plugin-data.ts";

/** What an integration changes of a check; `lines` as they are to be stored. */
export interface Patch extends Pick<
  UpdateOrder,
  "baseVersion" | "customerName" | "notes" | "guestCount" | "pluginData"
> {
  posReference: string;
  lines?: StoredLine[] | undefined;
}

/** What the kitchen has is none of an integration's business. */
const noRights = { mayVoid: false, mayTakeBack: () => false };

/**
 * An integration changes a check. Every other writer's version is a conflict, also one of the kitchen; a terminal's lease is
 * none.
 */
export function patchCheck(state: ServiceState, patch: Patch, context: RuleContext): Outcome {
  const { posReference, baseVersion } = patch;
  const stored = state.order(posReference);
  if (stored === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const locked = refusalOfLock(stored) ?? refusalOfVersion(context.hub, stored, baseVersion);
  if (locked !== null) return { refusal: locked };
  const { snapshot: before } = stored;
  const requested = patch.lines;
  const checks = [{ posReference, stored: before.lines, requested: requested ?? before.lines }];
  const kitchen = planKitchenWrite(state, checks, noRights, context);
  const lines = requested && kitchen.lines(posReference, requested);
  const snapshot = patched(before, patch, lines);
  const { total } = snapshot.totals;
  const tooMuch: Refusal | null =
    lines !== undefined && total > MAX_AMOUNT
      ? { code: "AMOUNT_TOO_LARGE", values: { field: "lines", amount: total } }
      : null;
  const refusal = (requested && kitchen.refusalOf(posReference)) ?? tooMuch ?? refusalOfTotal(before, total);
  if (refusal !== null) return { refusal };
  const { checks: others, tickets } = kitchen.changes([snapshot]);
  return changesOf({ checks: [{ previous: stored, snapshot, kind: "edited" }, ...others], tickets });
}

function patched(before: Snapshot, patch: Patch, lines: StoredLine[] | undefined): Snapshot {
  const { customerName, notes, guestCount } = patch;
  const { pluginData: attached, ...rest } = before;
  const pluginData = mergePluginData(attached, patch.pluginData);
  return {
    ...rest,
    ...(customerName !== undefined && { customerName }),
    ...(notes !== undefined && { notes }),
    ...(guestCount !== undefined && { guestCount }),
    ...(lines !== undefined && {
      lines,
      totals: sumOfLines(lines, before.adjustments),
      status: before.status === "sent" ? ("changed" as const) : before.status,
    }),
    ...(pluginData !== undefined && { pluginData }),
  };
}
