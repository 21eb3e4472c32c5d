import { isDeepStrictEqual } from "node:util";
import {
  ProposedSetting,
  ProposedStock,
  type ProposalOutcome,
  type ProposalTerms,
} from "@comanda/protocol/proposals.ts";

type Items<Kind extends ProposalTerms["kind"]> = Extract<ProposalTerms, { kind: Kind }>["items"];

/** A proposal as a restaurant received it, with the restaurant's own items. */
type Proposed = Pick<ProposalTerms, "kind" | "items">;

/** Returns items that restore what a restaurant reported as its state before these were applied; empty if nothing differed. */
export function undoItems({ kind, items }: Proposed, outcome: ProposalOutcome): ProposalTerms["items"] {
  const before = new Map(outcome.items?.map(({ key, now }) => [key, now]));
  // The restaurant's report may contain anything: values that cannot be proposed are left out.
  const read = (value: unknown): unknown => (kind === "stock" ? readStock(value) : readSetting(value));
  const undone = items.flatMap(({ key, want }) => {
    const now = before.has(key) ? read(before.get(key)) : undefined;
    return now === undefined || isDeepStrictEqual(now, read(want)) ? [] : [{ key, was: want, want: now }];
  });
  return undone as Items<"stock"> | Items<"settings">;
}

function readStock(value: unknown): unknown {
  const stock = ProposedStock.safeParse(value);
  return stock.success
    ? { state: stock.data.state, left: stock.data.left ?? null, until: stock.data.until ?? null }
    : undefined;
}

function readSetting(value: unknown): unknown {
  const setting = ProposedSetting.safeParse(value);
  return setting.success ? setting.data : undefined;
}
