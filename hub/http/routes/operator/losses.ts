import type { LossAdmin } from "../../../operator/system/losses.ts";
import { readCursor, requireNumber } from "../../cursor.ts";
import type { OperatorHandlers } from "../../handlers.ts";

/** Routes for what a restore lost and a manager's decisions about it. */
export function operatorLossRoutes(losses: LossAdmin) {
  return {
    losses: ({ query: { state, cursor, limit } }) => losses.list(state, readCursor(cursor), limit),
    async takeOverLoss({ params: { lossId }, body: { note = null }, manager }) {
      return { loss: await losses.takeOver(requireNumber(lossId, "loss"), manager.userName, note) };
    },
    async dismissLoss({ params: { lossId }, body: { note = null }, manager }) {
      return { loss: await losses.dismiss(requireNumber(lossId, "loss"), manager.userName, note) };
    },
    async dismissLosses({ body: { note = null }, manager }) {
      return { dismissed: await losses.dismissAll(manager.userName, note) };
    },
    takeOverLosses: ({ body: { note = null }, manager }) => losses.takeOverAll(manager.userName, note),
  } satisfies Partial<OperatorHandlers>;
}
