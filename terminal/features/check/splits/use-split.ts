import type { StoredLine } from "@comanda/protocol";
import { chargedQuantity } from "@comanda/rules";
import { contentOf, type LocalOrder } from "@comanda/terminal";
import { useMemo, useState } from "react";
import { useTranslation } from "@comanda/ui/translation.ts";
import { newReference } from "../../../checks/new-check.ts";
import { useTerminal } from "../../../lib/connection/pos.ts";
import { savedById } from "../../../lib/device/saved-by-id.ts";
import { randomText } from "../../../lib/device/random-text.ts";
import {
  emptySplit,
  fitShares,
  assignToPart,
  shareEqually,
  splitBySeats,
  splitChecks,
  withParts,
  type Shares,
} from "./split-parts.ts";
import { useCheckAct } from "../acts/use-check-act.ts";

export type SplitPreview = ReturnType<typeof useSplitPreview>;

/** Drafts of splits, kept on the device until the checks are made: they hold many answers of the guests. */
const drafts = savedById("comanda-terminal-splits", isDraft);

function isDraft(value: unknown): value is (readonly [lineId: string, held: readonly number[]])[] {
  return Array.isArray(value) && value.every((each) => Array.isArray(each) && Array.isArray(each[1]));
}

/** State of a split before it is made: the quantities of each part, and the resulting checks. */
export function useSplitPreview({ posReference, snapshot }: LocalOrder) {
  const content = useMemo(() => contentOf(snapshot), [snapshot]);
  const [draft, setDraft] = useState<Shares>(() => new Map(drafts.read(posReference) ?? emptySplit(content, 2)));
  // Lines added elsewhere stay on the first check.
  const shares = useMemo(() => fitShares(draft, content), [draft, content]);
  const [part, setPart] = useState(1);
  const parts = Math.max(1, ...[...shares.values()].map((quantities) => quantities.length));
  const checks = useMemo(
    () => splitChecks({ posReference, content }, shares, () => randomText(10)),
    [posReference, content, shares],
  );
  const seats = useMemo(() => splitBySeats(content), [content]);

  function setShares(next: Shares): void {
    drafts.keep(posReference, [...next]);
    setDraft(next);
  }
  function begin(next: Shares, at: number): void {
    setShares(next);
    setPart(at);
  }
  return {
    parts,
    part,
    setPart,
    checks,
    lines: snapshot.lines.filter((line) => shares.has(line.id) && chargedQuantity(line) > 0),
    totalOf: (index: number): number => checks.find((check) => check.part === index)?.content.totals?.total ?? 0,
    heldOf: ({ id }: StoredLine): readonly number[] => shares.get(id) ?? [],
    giveLine: ({ id, quantity }: StoredLine): void =>
      setShares(assignToPart(shares, id, part, Number.isInteger(quantity) ? 1 : quantity)),
    shareLine: ({ id }: StoredLine): void => setShares(shareEqually(shares, id)),
    addPart: (): void => begin(withParts(shares, parts + 1), parts),
    /** Null if the lines belong to fewer than two seats. */
    splitSeats: seats === null ? null : (): void => begin(seats, 0),
  };
}

/** Returns a function that makes the previewed checks, as one act that can be undone. */
export function useSplitAct(posReference: string, onDone: () => void): (checks: SplitPreview["checks"]) => void {
  const { t } = useTranslation("check");
  const terminal = useTerminal();
  const act = useCheckAct(() => {
    drafts.forget((each) => each === posReference);
    onDone();
  });
  return (checks) => {
    const [first, ...others] = checks;
    if (first === undefined) return;
    const made = others.map((check) => ({ posReference: newReference(terminal.now()), content: check.content }));
    act({
      what: t("split"),
      done: t("done.split", { count: checks.length }),
      run: (commands) => commands.changeOrders([...made, { posReference, content: first.content }]),
      undo: [posReference, ...made.map((check) => check.posReference)],
    });
  };
}
