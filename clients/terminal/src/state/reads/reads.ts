import { takeBackLeftMs } from "../../orders/take-back.ts";
import type { LocalState } from "../replay/local-state.ts";
import { newestEndFirst } from "./newest-end-first.ts";
import type { View } from "./view.ts";

export type Reads = ReturnType<typeof createReads>;

/** Read access to the checks, tables and tickets that this terminal shows. */
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
    /** A check as it will be on the hub after all queued mutations, without refused full payments. */
    expectedOrder: local.expected,
    tables: view.tables,
    /** Kitchen tickets that are not finished, oldest first. */
    tickets: () => local.tickets().filter(({ isOver }) => !isOver),
    /** Recently finished tickets, newest first, for a recall. */
    recentTickets: () =>
      local
        .tickets()
        .filter(({ isOver }) => isOver)
        .toSorted(newestEndFirst),
    ticket: (id: string) => local.tickets().find((ticket) => ticket.id === id),
    /** Products that are sold out or limited. */
    itemStates: view.itemStates,
    /** All drawers with their open shifts, including queued mutations. */
    tills: view.tills,
    /** How long this device may still take a line back, in ms; 0 if it may not. */
    takeBackLeftMs: (posReference: string, lineId: string) =>
      takeBackLeftMs(local.tickets(), { posReference, lineId }, { deviceId, now: now(), takeBackMs: takeBackMs() }),
    reservations: view.reservations,
  };
}
