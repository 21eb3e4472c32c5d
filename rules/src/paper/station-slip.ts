import type { Block, KitchenTicket, Snapshot, TicketLine } from "@comanda/protocol";
import { modifierNames } from "../checks/modifiers-of.ts";
import type { PaperFormat } from "./paper-format.ts";
import type { PaperContext } from "./paper-context.ts";
import { centered, guestsText, joinFacts, type Place, placeName, row, RULE, text } from "./pieces.ts";

/**
 * `new`: a check's first slip for the station. `addition`: a later one. `void`: dishes not to be made. `move`: a new place.
 * `note`: the check's note after a change.
 */
export type SlipKind = "new" | "addition" | "void" | "move" | "note";

/** The content of a slip for a station. */
export interface StationSlip {
  kind: SlipKind;
  ticket: KitchenTicket;
  /** The dishes concerned, each with its quantity. */
  dishes: readonly { line: TicketLine; quantity: number }[];
  check: Pick<Snapshot, "guestCount" | "staffName" | "notes">;
  /** The previous place of the check. */
  from?: Place;
  /** When the slip is created, ISO 8601. */
  at: string;
}

const heads = { new: null, addition: "ADICIÓN", void: "ANULADO", move: "CAMBIO DE MESA", note: "NOTA" } as const;

/** Enough characters of a ticket's id to identify it within an evening. */
const CODE_LENGTH = 6;

/** Returns the code of a ticket on paper. */
export function ticketCode({ id }: Pick<KitchenTicket, "id">): string {
  return id.slice(0, CODE_LENGTH);
}

export function stationSlip(slip: StationSlip, context: PaperContext): Block[] {
  const { kind, ticket, from, dishes } = slip;
  const head = heads[kind];
  const place = placeName(ticket, context);
  return [
    centered((ticket.stationName ?? "Cocina").toUpperCase(), { size: "large", bold: true }),
    ...(head === null ? [] : [centered(head, { size: "large", bold: true, inverse: true })]),
    ...marks(ticket, context),
    text(from === undefined ? place : `${placeName(from, context)} > ${place}`, { size: "large", bold: true }),
    ...facts(slip, context),
    ...(dishes.length === 0 ? [] : [RULE, ...byCourseAndSeat(slip, context)]),
    ...noteOf(slip),
    RULE,
    { kind: "barcode", text: ticketCode(ticket) },
    centered(ticketCode(ticket)),
  ];
}

/** What the kitchen must know before the dishes. */
function marks({ late, queuedAt, promisedAt, priority, sentAt }: KitchenTicket, { format }: PaperContext): Block[] {
  return [
    ...(priority === true ? [centered("PRIMERO", { size: "tall", bold: true, inverse: true })] : []),
    ...(late === true && queuedAt !== undefined
      ? [centered(`TARDE: pedido a las ${format.time(queuedAt)}`, { size: "tall", bold: true })]
      : []),
    ...(promisedAt === undefined ? [] : [text(promise(promisedAt, sentAt, format), { size: "tall", bold: true })]),
  ];
}

function promise(at: string, sentAt: string, { date, time }: PaperFormat): string {
  return date(at) === date(sentAt) ? `Para las ${time(at)}` : `Para el ${date(at)}, ${time(at)}`;
}

function facts({ ticket, check, at, kind }: StationSlip, { format }: PaperContext): Block[] {
  const { checkNumber, customerName, sentBy, sentAt, orderType } = ticket;
  const waiter = hasText(check.staffName) ? check.staffName : sentBy;
  const about = joinFacts([checkNumber != null && `Cuenta ${checkNumber}`, customerName]);
  return [
    ...(about === "" ? [] : [text(about)]),
    row(`Mesero: ${waiter}`, orderType === "dine_in" ? guestsText(check.guestCount) : ""),
    ...(waiter === sentBy ? [] : [text(`Envió: ${sentBy}`)]),
    // Other slips show their own time; the dishes were sent earlier.
    text(format.dateTime(kind === "new" || kind === "addition" ? sentAt : at)),
  ].filter((block) => block.kind !== "text" || block.text !== "");
}

function noteOf({ kind, check: { notes } }: StationSlip): Block[] {
  if (kind === "note") return [RULE, text(hasText(notes) ? notes : "Nota retirada", { size: "tall", bold: true })];
  // It holds for what is sent later, too, and may have been written since the first slip.
  const isShown = (kind === "new" || kind === "addition") && hasText(notes);
  return isShown ? [RULE, text(`Nota: ${notes}`, { bold: true })] : [];
}

type Dish = StationSlip["dishes"][number];

/** The dishes by course, and by seat within each course. */
function byCourseAndSeat({ dishes, kind }: StationSlip, context: PaperContext): Block[] {
  const courses = grouped(dishes, ({ line }) => line.course);
  return courses.flatMap(([course, courseDishes]) => [
    ...(course === null ? [] : [centered(`-- ${labelled("Tiempo", course)} --`, { bold: true })]),
    ...grouped(courseDishes, ({ line }) => line.seat).flatMap(([seat, seatDishes]) => [
      ...(seat === null ? [] : [text(labelled("Asiento", seat))]),
      ...seatDishes.flatMap((dish) => dishBlocks(dish, kind, context)),
    ]),
  ]);
}

function dishBlocks({ line, quantity }: Dish, kind: SlipKind, { format }: PaperContext): Block[] {
  const indent = 3;
  const count = format.quantity(quantity);
  const dish = row(`${count} ${line.name}`, "", { size: "tall", bold: true });
  const name = kind === "void" ? row(`ANULAR ${count} ${line.name}`, "", { size: "tall", bold: true }) : dish;
  return [
    name,
    ...modifierNames(line.modifiers).map((modifier) => row(`+ ${modifier}`, "", { indent })),
    ...[line.note, line.specialRequest].filter(hasText).map((note) => row(`* ${note}`, "", { indent, bold: true })),
    ...(hasText(line.allergy) ? [text(` ALERGIA: ${line.allergy}`, { size: "tall", bold: true, inverse: true })] : []),
    ...(line.soldOut === true && kind !== "void" ? [row("(estaba agotado)", "", { indent })] : []),
  ];
}

/** Groups items by label in numeric order; those without a label come first. */
function grouped<T>(
  items: readonly T[],
  labelOf: (item: T) => string | number | null | undefined,
): [string | number | null, T[]][] {
  const groups = [...Map.groupBy(items, (item) => labelOf(item) ?? null)];
  return groups.toSorted(([one], [other]) =>
    one === null || other === null
      ? Number(one !== null) - Number(other !== null)
      : String(one).localeCompare(String(other), "es", { numeric: true }),
  );
}

/** Adds the word to a bare number; other labels already have their own. */
function labelled(word: string, label: string | number): string {
  return /^\d+$/.test(String(label)) ? `${word} ${label}` : String(label);
}

function hasText(value: string | null | undefined): value is string {
  return value != null && value.trim() !== "";
}
