import { RESERVATIONS_PLUGIN, WAITING_PLUGIN } from "@comanda/protocol";
import { checksByRecord, type LocalOrder, type Mutation, type Terminal, type Waiting } from "@comanda/terminal";
import type { GuestRecord } from "@comanda/rules";
import { discardRefused } from "../../lib/page/discard-refused.ts";
import type { HostBooking } from "./host-day.ts";

/** Guests with a booking or on the wait list, with what is needed to seat them. */
export interface Party {
  name: string;
  partySize: number | undefined;
  /** The table of their booking. */
  tableId: number | undefined;
  /** The record that their check refers to. */
  record: GuestRecord;
  /** Their check, once seated. */
  check: LocalOrder | null;
  /** Whether their record says that they are seated. */
  isMarked: boolean;
  /** Records that they are seated, or no longer. */
  mark: (isSeated: boolean) => Promise<unknown>;
}

export function partyOfBooking(terminal: Terminal, { key, reservation, check }: HostBooking): Party {
  const { guestName: name, partySize, tableId, status } = reservation;
  return {
    name,
    partySize,
    tableId,
    record: { pluginId: RESERVATIONS_PLUGIN, key },
    check,
    isMarked: status !== "booked",
    mark: (isSeated) => terminal.setBookingStatus(key, isSeated ? "seated" : "booked"),
  };
}

export function partyOfWaiting(terminal: Terminal, { key, party }: Waiting, check: LocalOrder | null): Party {
  const { since: _, ...details } = party;
  return {
    name: party.guestName,
    partySize: party.partySize,
    tableId: undefined,
    record: { pluginId: WAITING_PLUGIN, key },
    check,
    isMarked: party.status !== "waiting",
    mark: (isSeated) => terminal.putWaiting(key, { ...details, status: isSeated ? "seated" : "waiting" }),
  };
}

/**
 * Marks guests as not seated once the hub has discarded the check opened for them, unless another check names them. Discards
 * the conflict if the hub never had that check.
 */
export async function unseat(
  terminal: Pick<Terminal, "discard" | "orders">,
  party: Pick<Party, "mark" | "record"> | null,
  { id, outcome }: Pick<Mutation, "id" | "outcome">,
): Promise<void> {
  const answer = await outcome;
  if (answer.state === "refused" && answer.conflict.refusal.errorCode === "NOT_FOUND")
    await discardRefused(terminal, id);
  if (answer.state !== "acknowledged" || party === null) return;
  const { pluginId, key } = party.record;
  if (!checksByRecord(terminal.orders(), pluginId).has(key)) await party.mark(false);
}

/** Whether both are the same guests. */
export function isSameParty({ record: one }: Pick<Party, "record">, { record: other }: Pick<Party, "record">): boolean {
  return one.pluginId === other.pluginId && one.key === other.key;
}

/**
 * Returns why the hub refused the check just opened for guests, because they or the table already have one, and discards it.
 * Returns null if the hub took it, or if it was edited since: then its conflict awaits a decision.
 */
export async function notSeated(
  terminal: Pick<Terminal, "discard">,
  { id, outcome }: Pick<Mutation, "id" | "outcome">,
): Promise<string | null> {
  const answer = await outcome;
  if (answer.state !== "refused") return null;
  const { refusal, behind } = answer.conflict;
  if (refusal.existing === undefined || behind.some(({ type }) => type !== "ORDER_DISCARD")) return null;
  await discardRefused(terminal, id);
  return refusal.errorCode;
}
