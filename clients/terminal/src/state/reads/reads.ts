import { takeBackLeftMs } from "../../orders/take-back.ts";
import type { LocalState } from "../replay/local-state.ts";
import { newestEndFirst } from "./newest-end-first.ts";
import type { View } from "./view.ts";

/** What can be read of the checks, tables and tickets that this terminal shows. */
export function createReads(deps: {
  local: LocalState;
  view: View;
  deviceId: string;
  /** The hub's time in ms. */
  now: () => number;
  takeBackMs: () => number;
}) {
  const { local, view, deviceId, now, takeBackMs } = deps;
  return {
    orders: () => [...local.all()],
    order: local.get,
    expectedOrder: local.expected,
    tables: view.tables,
    tickets: () => local.tickets().filter(({ isOver }) => !isOver),
    recentTickets: () =>
      local
        .tickets()
        .filter(({ isOver }) => isOver)
        .toSorted(newestEndFirst),
    ticket: (id: string) => local.tickets().find((ticket) => ticket.id === id),
    itemStates: view.itemStates,
    tills: view.tills,
    takeBackLeftMs: (posReference: string, lineId: string) =>
      takeBackLeftMs(local.tickets(), { posReference, lineId }, { deviceId, now: now(), takeBackMs: takeBackMs() }),
    reservations: view.reservations,
  };
}
