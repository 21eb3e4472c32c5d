import type { Snapshot, StoredLine, UpdateOrder } from "@comanda/protocol";
import { MAX_AMOUNT } from "@comanda/protocol/bounds.ts";
import type { RuleContext } from "../context.ts";
import { planKitchenWrite } from "../kitchen/kitchen-write.ts";
import { sentVoidedQuantityOf } from "../kitchen/line-quantities.ts";
import { equalsWithin, proportionOf, subtract } from "../money/amounts.ts";
import { addUp } from "../money/pricing/limit-discounts.ts";
import { changesOf, type Outcome, type Refusal } from "../outcome.ts";
import { chargedQuantity } from "../payments/charged-lines.ts";
import { refusalOfTotal } from "../payments/money-on-check.ts";
import type { ServiceState } from "../state.ts";
import { refusalOfLock, refusalOfVersion } from "./guards.ts";
import { mergePluginData } from "./plugin-data.ts";

/** A change of a check by an integration; `lines` as they are to be stored. */
export interface Patch extends Pick<
  UpdateOrder,
  "baseVersion" | "customerName" | "notes" | "guestCount" | "pluginData"
> {
  posReference: string;
  lines?: StoredLine[] | undefined;
}

/** Integrations have no rights over what was sent to the kitchen. */
const noRights = { mayVoid: false, mayTakeBack: () => false };

/**
 * Applies an integration's change to a check. A version by any other writer, the kitchen included, is a conflict. A terminal's
 * lease is not.
 */
export function patchCheck(state: ServiceState, patch: Patch, context: RuleContext): Outcome {
  const { posReference, baseVersion } = patch;
  const stored = state.order(posReference);
  if (stored === null) return { refusal: { code: "NO_ORDER", values: { posReference } } };
  const locked = refusalOfLock(stored) ?? refusalOfVersion(context.hub, stored, baseVersion);
  if (locked !== null) return { refusal: locked };
  const { snapshot: before } = stored;
  const linesById = new Map(before.lines.map((line) => [line.id, line]));
  const requested = patch.lines?.map((line) => withoutVoidPart(line, linesById.get(line.id)));
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

/**
 * An integration sends the cost of a line's whole quantity, so the voided part is subtracted here. A line sent back unchanged
 * already has the reduced amounts. A lowered quantity takes away the voided part first, except what was sent.
 */
function withoutVoidPart(line: StoredLine, before: StoredLine | undefined): StoredLine {
  const { quantity, voided, total = 0, taxAmount = 0 } = line;
  if (before === undefined || (line.voidedQuantity ?? 0) <= 0) return line;
  const lowered = Math.max(0, subtract(before.quantity, quantity));
  const stays = Math.max(sentVoidedQuantityOf(before), subtract(line.voidedQuantity ?? 0, lowered));
  const next = { ...line, voidedQuantity: Math.min(quantity, stays) };
  if (voided === true || (quantity === before.quantity && equalsWithin(total, before.total ?? 0, 0))) {
    return next;
  }
  const charged = chargedQuantity(next);
  return {
    ...next,
    total: proportionOf(total, charged, quantity),
    taxAmount: proportionOf(taxAmount, charged, quantity),
  };
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
      ...addUp(lines, before.adjustments),
      status: before.status === "sent" ? ("changed" as const) : before.status,
    }),
    ...(pluginData !== undefined && { pluginData }),
  };
}
