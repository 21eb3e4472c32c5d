import { takeBackLeftMs } from "../../orders/take-back.ts";
import type { LocalState } from "../replay/local-state.ts";
import { newestEndFirst } from "./newest-end-first.ts";
import type { View } from "./view.ts";

export type Reads = ReturnType<typeof createReads>;

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
    /** As the hub will have it with all that waits here: without a whole payment that it has refused. */
    expectedOrder: local.expected,
    tables: view.tables,
    /** The kitchen tickets that are not over, oldest first. */
    tickets: () => local.tickets().filter(({ isOver }) => !isOver),
    /** Those that were over last, newest first: for a recall. */
    recentTickets: () =>
      local
        .tickets()
        .filter(({ isOver }) => isOver)
        .toSorted(newestEndFirst),
    ticket: (id: string) => local.tickets().find((ticket) => ticket.id === id),
    /** What cannot be sold, or is limited. */
    itemStates: view.itemStates,
    /** The drawers of the house, each with its shift that is not closed; also what waits to be sent is in them. */
    tills: view.tills,
    /** How long this device may still take a line back, in ms; 0 when it may not. */
    takeBackLeftMs: (posReference: string, lineId: string) =>
      takeBackLeftMs(local.tickets(), { posReference, lineId }, { deviceId, now: now(), takeBackMs: takeBackMs() }),
    reservations: view.reservations,
  };
}
