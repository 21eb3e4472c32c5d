import path from "node:path";
import type { Loss, LossesTakenOver, LossPage } from "@comanda/protocol";
import { asStorageError, HubError, explainedError, requireUnsettled } from "../../platform/errors.ts";
import type { Tx } from "../../changes/change.ts";
import type { LossRow } from "../../restores/loss-store.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";
import { createLossPresenter } from "./present-loss.ts";

const RESTORES_SHOWN = 5;

export type LossAdmin = ReturnType<typeof createLossAdmin>;

/** What restores have lost, and the decisions of managers about it. */
export function createLossAdmin(
  deps: Pick<Stores, "changes" | "orders" | "losses" | "questions" | "audit"> & {
    world: World;
    /** Applies to an order what the restore lost. */
    takeOver(tx: Tx, loss: LossRow, userName: string): void;
  },
) {
  const { world, changes, orders, losses, questions, audit } = deps;

  const present = createLossPresenter(orders, world);

  function find(id: number): LossRow {
    const loss = losses.get(id);
    return requireUnsettled(loss?.state === "noted" ? null : loss, `loss ${id}`);
  }

  function settle(
    id: number,
    decision: "taken_over" | "dismissed",
    userName: string,
    note: string | null,
  ): Promise<Loss> {
    return changes.write((tx) => {
      const loss = find(id);
      if (decision === "taken_over") {
        if (loss.kind === "closed_by_back_office") {
          throw explainedError("VALIDATION_ERROR", "loss_of_closed_order", { posReference: loss.posReference });
        }
        // Protects the money: the hub looks the order up in the back-office before it trusts a "duplicate".
        if (loss.kind === "order_paid") questions.ask(loss.posReference, "taken_over");
        deps.takeOver(tx, loss, userName);
      }
      losses.settle(tx, id, decision, userName, note);
      audit.record(
        tx,
        userName,
        decision === "taken_over" ? "loss.take_over" : "loss.dismiss",
        loss.posReference,
        note,
      );
      tx.notify(["losses"]);
      return present(losses.get(id) ?? loss);
    });
  }

  /** Returns why a loss could not be taken over. An error, such as a damaged check, must not stop the rest. */
  function refusalMessage(thrown: unknown, posReference: string): string {
    const error = asStorageError(thrown);
    if (error instanceof HubError) return error.message;
    world.log.error({ err: error, posReference }, "a loss could not be taken over");
    return "the hub failed: its log says why";
  }

  return {
    list(state: "open" | "settled", below: number | null, limit: number): LossPage {
      const rows = losses.list(state, below ?? Number.MAX_SAFE_INTEGER, limit);
      const last = rows.length === limit ? rows.at(-1) : undefined;
      const open = losses.countOpen();
      return {
        restores: losses.listRestores(RESTORES_SHOWN).map(({ at, cause, by, backup, replaced, read }) => ({
          at: isoTime(at),
          cause,
          by,
          backup: backup === null ? null : path.basename(backup),
          keptAside: replaced === null ? null : path.basename(replaced),
          read,
        })),
        losses: rows.map(present),
        nextCursor: last === undefined ? null : String(last.id),
        open,
        total: state === "open" ? open : losses.countSettled(),
        unasked: questions.countUnanswered(),
      };
    },

    takeOver: (id: number, userName: string, note: string | null) => settle(id, "taken_over", userName, note),
    dismiss: (id: number, userName: string, note: string | null) => settle(id, "dismissed", userName, note),

    async dismissAll(userName: string, note: string | null): Promise<number> {
      const open = losses.list("open", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      await Promise.all(open.map(({ id }) => settle(id, "dismissed", userName, note)));
      return open.length;
    },

    /** Takes over every loss it can, each in its own transaction, so that one refusal does not stop the rest. */
    async takeOverAll(userName: string, note: string | null): Promise<LossesTakenOver> {
      const open = losses.list("open", Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
      const answer: LossesTakenOver = { takenOver: 0, refused: [] };
      const taking = open
        .filter((loss) => loss.kind !== "closed_by_back_office" && loss.kind !== "not_listed")
        .toSorted((a, b) => takeOverOrder.indexOf(a.kind) - takeOverOrder.indexOf(b.kind))
        .map(({ id, posReference }) =>
          settle(id, "taken_over", userName, note).then(
            () => void (answer.takenOver += 1),
            (error: unknown) =>
              void answer.refused.push({
                lossId: String(id),
                posReference,
                error: refusalMessage(error, posReference),
              }),
          ),
        );
      await Promise.all(taking);
      return answer;
    },
  };
}

/** First what frees the kitchen's work, then what may have taken it: checks that were split off or merged into. */
const takeOverOrder: readonly LossRow["kind"][] = [
  "order_discarded",
  "order_merged",
  "order_older",
  "order_paid",
  "order_missing",
  "kitchen_work",
  "payment",
];
