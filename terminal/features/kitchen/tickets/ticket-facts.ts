import { ageLimitsOf, slowestLimits, type AgeLimits, type KitchenTicket, type TicketLine } from "@comanda/protocol";
import { remainingQuantity } from "@comanda/rules";

/** Whether a cancellation was not acknowledged at the station, where the dish may still be cooking. */
export function hasUnseenCancel({ isOver, lines }: KitchenTicket): boolean {
  return !isOver && lines.some(({ cancelledQuantity, isSeen }) => cancelledQuantity > 0 && !isSeen);
}

/** Whether the station has not seen some of its work. The rest of a seen dish, after a part was cancelled, is not new. */
export function isNewWork({ lines, seen }: KitchenTicket): boolean {
  return lines.some((line) => line.state === "unseen" && (line.cancelledQuantity === 0 || seen.length === 0));
}

/** Whether showing the ticket at a station marks it as seen. A cancellation needs a tap. */
export function isSeenByShowing(ticket: KitchenTicket, stationId: string): boolean {
  if (ticket.isOver || hasUnseenCancel(ticket)) return false;
  return ticket.lines.some(({ isSeen }) => !isSeen) || ticket.seen.every((each) => each.stationId !== stationId);
}

/**
 * Returns the course of a ticket that follows earlier ones of the same check and station. Empty if it was ordered in addition
 * to them, null if there are none.
 */
export function courseAfter(ticket: KitchenTicket, tickets: readonly KitchenTicket[]): string | null {
  const earlier = tickets.filter(
    ({ id, posReference, stationId, sentAt }) =>
      id !== ticket.id &&
      posReference === ticket.posReference &&
      stationId === ticket.stationId &&
      sentAt < ticket.sentAt,
  );
  if (earlier.length === 0) return null;
  const before = new Set([FIRST_COURSE, ...earlier.flatMap(({ lines }) => lines.map(courseOf))]);
  const courses = [...new Set(ticket.lines.map(courseOf))];
  return courses.some((course) => before.has(course)) ? "" : courses.join(" + ");
}

const FIRST_COURSE = "1";

function courseOf({ course }: TicketLine): string {
  return String(course ?? FIRST_COURSE);
}

export type AgeLevel = "onTime" | "slow" | "late";

export function ageLevel(ms: number, { slowMs, lateMs }: AgeLimits): AgeLevel {
  if (ms >= lateMs) return "late";
  return ms >= slowMs ? "slow" : "onTime";
}

/** Usual cooking time by product, in ms. */
export type UsualTimes = ReadonlyMap<string, number>;

/** Returns when lines that go out together are slow and late, from the slowest one still to cook. */
export function limitsOfLines(lines: readonly TicketLine[], usual: UsualTimes): AgeLimits {
  const open = lines.filter((line) => remainingQuantity(line) > 0);
  return slowestLimits((open.length > 0 ? open : lines).map((line) => ageLimitsOf(usual.get(String(line.productId)))));
}

/** Formats an age as 4:07, or with hours as 1:04:07. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** Returns the guest's notes on a line. */
export function notesOf({ note, specialRequest }: TicketLine): string[] {
  return [note, specialRequest].filter((text): text is string => typeof text === "string" && text !== "");
}

/** Whether a ticket belongs to a station; null means all. Tickets of a removed station go to the first one. */
export function isAtStation(
  { stationId }: KitchenTicket,
  chosen: string | null,
  stations: readonly { id: string }[],
): boolean {
  if (chosen === null || stationId === chosen) return true;
  return stations[0]?.id === chosen && stations.every(({ id }) => id !== stationId);
}
