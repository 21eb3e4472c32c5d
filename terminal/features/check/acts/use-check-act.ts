import { discountIn } from "@comanda/rules";
import {
  type Conflict,
  contentOf,
  type Mutation,
  type OrderCommands,
  type OrderContent,
  type Terminal,
} from "@comanda/terminal";
import { useTranslation } from "@comanda/ui/translation.ts";
import { choicesOf } from "../../../checks/choices-of.ts";
import { otherHolderOn } from "../../../lib/connection/in-use.ts";
import { hideNotice, showNotice } from "../../../lib/page/notices.ts";
import { useLive, useTerminal } from "../../../lib/connection/pos.ts";
import { discardRefused } from "../../../lib/page/discard-refused.ts";
import { attempt, refusalText, showRefusal } from "../../../lib/page/show-refusal.ts";
import { undoAct } from "../../../lib/page/undo-act.ts";
import { useIsCashier } from "../../../people/role.ts";
import { askForApproval } from "../../../people/ask-for-approval.ts";
import { keepTables } from "./keep-tables.ts";
import { contentsOf, reverseOf } from "./undo-change.ts";

/** Milliseconds within which the hub's refusal is shown at once; a later one appears among the conflicts. */
const ANSWER_MS = 10_000;

export type CheckAct = {
  /** Describes the act to the person asked to approve it: "Anular 2 Mofongo". */
  what: string;
  /** Text of the notice once it is done: "Anulado: 2 Mofongo". */
  done: string;
  /** The checks that it changes, if it can be undone. */
  undo?: readonly string[];
  /** The tables to lock until the hub has answered. */
  tables?: readonly number[];
} & (CheckEdit | { run: (commands: OrderCommands) => Mutation | Mutation[] });

/** A change of one check's content, which can be examined before it is sent. */
interface CheckEdit {
  posReference: string;
  edit: (content: OrderContent) => OrderContent;
}

/**
 * Returns a function that performs an act on checks at once, with undo if possible. If it needs approval, asks for it in place:
 * for a discount before sending, otherwise after the hub's refusal. Returns false if refused at once, which has been shown;
 * otherwise calls `onDone`.
 */
export function useCheckAct(onDone?: () => void): (act: CheckAct) => boolean {
  const terminal = useTerminal();
  const isCashier = useIsCashier();
  const menu = useLive("menu");
  const { t } = useTranslation("check");

  return (act) => {
    const { what, done, undo = [] } = act;
    const run = "edit" in act ? (to: OrderCommands) => to.editOrder(act.posReference, act.edit) : act.run;
    const mayAct = isCashier || !("edit" in act) || !isDiscount(act);
    if (!mayAct) void askFirst();
    const isDone = !mayAct || carryOut(terminal);
    if (isDone) onDone?.();
    return isDone;

    function isDiscount({ posReference, edit }: CheckEdit): boolean {
      const before = terminal.order(posReference)?.snapshot;
      if (before === undefined) return false;
      return discountIn([{ posReference, before, snapshot: edit(contentOf(before)) }], menu) !== null;
    }

    async function askFirst(): Promise<void> {
      const approved = await askForApproval(what);
      // The lines may have been removed elsewhere while approval was pending.
      if (approved === null || ("edit" in act && !isDiscount(act))) showNotice({ text: t("notDone", { what }) });
      else carryOut(approved);
    }

    function carryOut(commands: OrderCommands): boolean {
      const before = contentsOf(terminal, undo);
      const mutations = attempt(() => [run(commands)].flat());
      if (mutations === null) return false;
      const after = contentsOf(terminal, undo);
      const refused: Conflict[] = [];
      const takeBack = (): void => {
        const unchanged = new Set(refused.flatMap(({ orders }) => orders.map(({ posReference }) => posReference)));
        const changed = undo.filter((posReference) => !unchanged.has(posReference));
        const changes = changed.map((posReference) => ({
          posReference,
          before: before.get(posReference) ?? null,
          after: after.get(posReference) ?? null,
        }));
        const reversed = reverseOf(changes, contentsOf(terminal, changed), terminal.now());
        if (reversed === null) return showNotice({ text: t("changedSince") });
        // Mutations that were sent separately are undone separately.
        const batches = mutations.length > 1 ? reversed.map((each) => [each]) : [reversed];
        attempt(() => batches.map((each) => terminal.changeOrders(each)));
      };
      const holder = holderOf(terminal, undo);
      const text = holder === null ? done : `${done} · ${t("waitsFor", { name: holder })}`;
      showNotice({ text, ...(undo.length > 0 && { act: undoAct(takeBack) }) });
      void keepTables(terminal, act.tables ?? [], Promise.all(mutations.map(({ outcome }) => outcome)));
      followRefusals(mutations, refused, takeBack).catch(showRefusal);
      return true;
    }

    /** Shows each refusal when it arrives, and collects them in `refused`. `takeBack` undoes what was not refused. */
    async function followRefusals(
      mutations: readonly Mutation[],
      refused: Conflict[] = [],
      takeBack?: () => void,
    ): Promise<void> {
      const of = mutations.length;
      await Promise.all(
        mutations.map(async ({ outcome }) => {
          const answer = await Promise.race([outcome, wait(ANSWER_MS)]);
          if (answer?.state !== "refused") return;
          refused.push(answer.conflict);
          const [choice] = choicesOf(answer.conflict);
          if (choice === "approve") return;
          // A conflict whose only choice is to discard needs no decision.
          if (choice === "discard" && !(await discardRefused(terminal, answer.conflict.id))) return;
          const count = refused.length;
          const notDone = count === of ? t("notDone", { what }) : t("partlyRefused", { what, count, of });
          const text = `${notDone}. ${refusalText(answer.conflict.refusal.errorCode)}`;
          showNotice({ text, ...(count < of && takeBack !== undefined && { act: undoAct(takeBack) }) });
        }),
      );
      const toApprove = refused.filter((each) => choicesOf(each)[0] === "approve");
      if (toApprove.length === 0) return;
      hideNotice();
      const approved = await askForApproval(what);
      if (approved === null) {
        const discarded = await Promise.all(toApprove.map(async ({ id }) => discardRefused(terminal, id)));
        if (discarded.includes(true)) showNotice({ text: t("notDone", { what }) });
        return;
      }
      const retried = attempt(() => toApprove.map(({ id }) => approved.retry(id)));
      if (retried === null) return;
      showNotice({ text: done });
      await followRefusals(retried);
    }
  };
}

/** Returns the name of another person who has one of these checks open, for whom the act waits; null if there is none. */
function holderOf(terminal: Terminal, checks: readonly string[]): string | null {
  const holders = checks.map(otherHolderOn(terminal));
  return holders.find((holder) => holder !== null)?.userName ?? null;
}

async function wait(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
