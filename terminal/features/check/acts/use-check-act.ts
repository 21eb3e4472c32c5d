import { discountIn } from "@comanda/rules";
import { contentOf, type Mutation, type OrderCommands, type OrderContent, type Terminal } from "@comanda/terminal";
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

/** Within this time the hub's refusal is answered where the finger is; a later one waits among the conflicts. */
const ANSWER_MS = 10_000;

export type CheckAct = {
  /** In words, for the person who is asked to allow it: "Anular 2 Mofongo". */
  what: string;
  /** What is said once it is done: "Anulado: 2 Mofongo". */
  done: string;
  /** The checks that it changes, where it can be taken back. */
  undo?: readonly string[];
  /** The tables where somebody sits then: kept for them until the hub has it. */
  tables?: readonly number[];
} & (CheckEdit | { run: (commands: OrderCommands) => Mutation | Mutation[] });

/** Another content for one check: what that needs is known before it is sent. */
interface CheckEdit {
  posReference: string;
  edit: (content: OrderContent) => OrderContent;
}

/**
 * Does something to checks: at once, with a way back where there is one. What only others may do is asked of them, in place:
 * a discount before anything is sent, the rest when the hub refuses it. Answers false when it was refused at once, which has
 * been said; else `onDone` follows.
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
      // While they were asked, others may have taken off what it was about.
      if (approved === null || ("edit" in act && !isDiscount(act))) showNotice({ text: t("notDone", { what }) });
      else carryOut(approved);
    }

    function carryOut(commands: OrderCommands): boolean {
      const before = contentsOf(terminal, undo);
      const mutations = attempt(() => [run(commands)].flat());
      if (mutations === null) return false;
      const after = contentsOf(terminal, undo);
      const takeBack = (): void => {
        const changes = undo.map((posReference) => ({
          posReference,
          before: before.get(posReference) ?? null,
          after: after.get(posReference) ?? null,
        }));
        const reversed = reverseOf(changes, contentsOf(terminal, undo), terminal.now());
        if (reversed === null) return showNotice({ text: t("changedSince") });
        // What went each for itself comes back so.
        const batches = mutations.length > 1 ? reversed.map((each) => [each]) : [reversed];
        attempt(() => batches.map((each) => terminal.changeOrders(each)));
      };
      const holder = holderOf(terminal, undo);
      const text = holder === null ? done : `${done} · ${t("waitsFor", { name: holder })}`;
      showNotice({ text, ...(undo.length > 0 && { act: undoAct(takeBack) }) });
      void keepTables(terminal, act.tables ?? [], Promise.all(mutations.map(({ outcome }) => outcome)));
      followRefusals(mutations).catch(showRefusal);
      return true;
    }

    async function followRefusals(mutations: readonly Mutation[]): Promise<void> {
      const answers = await Promise.all(mutations.map(async ({ outcome }) => Promise.race([outcome, wait(ANSWER_MS)])));
      const refused = answers.flatMap((answer) => (answer?.state === "refused" ? [answer.conflict] : []));
      const [first] = refused;
      if (first === undefined) return;
      const of = mutations.length;
      const notDone =
        of === refused.length ? t("notDone", { what }) : t("partlyDone", { what, count: of - refused.length, of });
      if (choicesOf(first)[0] !== "approve") {
        // What can only be given up is nothing to decide.
        const given = refused.map(
          async (each) => choicesOf(each)[0] !== "discard" || discardRefused(terminal, each.id),
        );
        const andWhy = `${notDone}. ${refusalText(first.refusal.errorCode)}`;
        if ((await Promise.all(given)).includes(true)) showNotice({ text: andWhy });
        return;
      }
      hideNotice();
      const approved = await askForApproval(what);
      if (approved === null) {
        const given = await Promise.all(refused.map(async ({ id }) => discardRefused(terminal, id)));
        if (given.includes(true)) showNotice({ text: notDone });
        return;
      }
      const retried = attempt(() => refused.map(({ id }) => approved.retry(id)));
      if (retried === null) return;
      showNotice({ text: done });
      await followRefusals(retried);
    }
  };
}

/** Who else has one of these checks open, so that the act waits for them. */
function holderOf(terminal: Terminal, checks: readonly string[]): string | null {
  const holders = checks.map(otherHolderOn(terminal));
  return holders.find((holder) => holder !== null)?.userName ?? null;
}

async function wait(ms: number): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}
