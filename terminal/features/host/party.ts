import { RESERVATIONS_PLUGIN, WAITING_PLUGIN } from "@comanda/protocol";
import { checksByRecord, type LocalOrder, type Mutation, type Terminal, type Waiting } from "@comanda/terminal";
import type { GuestRecord } from "@comanda/rules";
import { discardRefused } from "../../lib/page/discard-refused.ts";
import type { HostBooking } from "./host-day.ts";

/** Guests who are expected or wait, as what seats them needs to know them. */
export interface Party {
  name: string;
  partySize: number | undefined;
  /** Where they have booked. */
  tableId: number | undefined;
  /** The record that their check names. */
  record: GuestRecord;
  /** The check of their table, once they sit. */
  check: LocalOrder | null;
  /** Their record says that they sit. */
  isMarked: boolean;
  /** Says in their record that they sit, or that they do not after all. */
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
 * Guests do not sit after all, once the hub has taken back the check that was opened for them and has no other one that
 * names them. What it never had, since they or the table have another check, leaves nothing to decide.
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

/** Whether two are the same guests. */
export function isSameParty({ record: one }: Pick<Party, "record">, { record: other }: Pick<Party, "record">): boolean {
  return one.pluginId === other.pluginId && one.key === other.key;
}

/**
 * Why the hub did not take the check that was just opened for guests, since they or the table have one: answers the code, and
 * takes the check back. Null where it took it, and where more was done to it than to undo it: then somebody has to decide.
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
