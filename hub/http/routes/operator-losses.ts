import type { createLosses } from "../../operator/losses.ts";
import { readCursor } from "../cursor.ts";
import type { OperatorHandlers } from "./operator-routes.ts";
import { requireNumber } from "../require-number.ts";

type Names = "losses" | "takeOverLoss" | "takeOverLosses" | "dismissLoss";

/** What a manager reads and decides of what a restore lost. */
export function operatorLossRoutes(losses: ReturnType<typeof createLosses>): Pick<OperatorHandlers, Names> {
  return {
    losses: ({ query: { state, cursor, limit } }) => losses.list(state, readCursor(cursor), limit),
    async takeOverLoss({ params: { lossId }, body: { note = null }, manager }) {
      return { loss: await losses.takeOver(requireNumber(lossId, "loss"), manager.userName, note) };
    },
    async dismissLoss({ params: { lossId }, body: { note = null }, manager }) {
      return { loss: await losses.dismiss(requireNumber(lossId, "loss"), manager.userName, note) };
    },
    takeOverLosses: ({ body: { note = null }, manager }) => losses.takeOverAll(manager.userName, note),
  };
}
