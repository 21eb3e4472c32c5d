import { ageLimitsOf, slowestLimits, type AgeLimits, type KitchenTicket, type TicketLine } from "@comanda/protocol";
import { activeQuantity, subtract } from "@comanda/rules";

/** What is still to be cooked of a line. */
export function leftOf(line: TicketLine): number {
  return Math.max(0, subtract(activeQuantity(line), line.preparedQuantity));
}

/** Something of it was cancelled, and nobody at its station has said that they know: it may still be cooking. */
export function hasUnseenCancel({ isOver, lines }: KitchenTicket): boolean {
  return !isOver && lines.some(({ cancelledQuantity, isSeen }) => cancelledQuantity > 0 && !isSeen);
}

/** Something of it is work that its station has not looked at; of a dish that was seen, what is left once a part was cancelled is none. */
export function isNewWork({ lines, seen }: KitchenTicket): boolean {
  return lines.some((line) => line.state === "unseen" && (line.cancelledQuantity === 0 || seen.length === 0));
}

/** Whether being on the screen of a station tells that it was seen. What was cancelled takes a tap. */
export function isSeenByShowing(ticket: KitchenTicket, stationId: string): boolean {
  if (ticket.isOver || hasUnseenCancel(ticket)) return false;
  return ticket.lines.some(({ isSeen }) => !isSeen) || ticket.seen.every((each) => each.stationId !== stationId);
}

/**
 * The course that a ticket brings after those that its station had earlier of the same check: it waited for its turn. Empty:
 * it was ordered on top of them. Null: the station had none.
 */
export function courseAfter(ticket: KitchenTicket, known: readonly KitchenTicket[]): string | null {
  const earlier = known.filter(
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

/** How long the kitchen usually takes for a dish, by product, in ms. */
export type UsualTimes = ReadonlyMap<string, number>;

/** From when on lines that go out together are slow and late: the slowest of what is still to be cooked decides. */
export function limitsOfLines(lines: readonly TicketLine[], usual: UsualTimes): AgeLimits {
  const open = lines.filter((line) => leftOf(line) > 0);
  return slowestLimits((open.length > 0 ? open : lines).map((line) => ageLimitsOf(usual.get(String(line.productId)))));
}

/** 4:07, and from an hour on 1:04:07. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60];
  const hours = Math.floor(seconds / 3600);
  if (hours > 0) parts.unshift(hours);
  return parts.map((part, index) => (index === 0 ? String(part) : String(part).padStart(2, "0"))).join(":");
}

/** What the guest said of it, in their words. */
export function notesOf({ note, specialRequest }: TicketLine): string[] {
  return [note, specialRequest].filter((text): text is string => typeof text === "string" && text !== "");
}

/** Whether a ticket belongs on the screen of a station; null: of all. What was sent to a station that is gone goes to the first. */
export function isAtStation(
  { stationId }: KitchenTicket,
  chosen: string | null,
  stations: readonly { id: string }[],
): boolean {
  if (chosen === null || stationId === chosen) return true;
  return stations[0]?.id === chosen && stations.every(({ id }) => id !== stationId);
}
