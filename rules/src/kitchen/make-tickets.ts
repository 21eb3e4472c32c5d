import type { KitchenTicket, Snapshot, Station, StoredLine, TicketLine } from "@comanda/protocol";
import { promisedAtOf } from "../checks/promised-at.ts";
import type { RuleMenu } from "../context.ts";
import { ONLY_STATION, stationFor } from "./stations.ts";
import { instructionsOf, isLabel, seatingOf } from "./ticket-instructions.ts";

/** A line with the quantity that has not been sent yet. */
export interface LineToSend {
  line: StoredLine;
  quantity: number;
}

export interface Send {
  sentAt: string;
  sentBy: string;
  terminalId: string;
  /** When it was queued; set only if it waited too long in an outbox. */
  lateSince: string | undefined;
  stations: readonly Station[];
  /** The menu, for names and categories; null if it was never read. */
  menu: Pick<RuleMenu, "products"> | null;
  /** Ids of lines whose product had run out. */
  soldOut: ReadonlySet<string>;
  newId: () => string;
}

type Product = RuleMenu["products"][number];

/** Makes the tickets of one send: one per station that gets a line, in the order of the stations. */
export function makeTickets(snapshot: Snapshot, lines: readonly LineToSend[], send: Send): KitchenTicket[] {
  const products = new Map(send.menu?.products.map((product) => [String(product.id), product]));
  const sent = lines.map(({ line, quantity }) => {
    const product = line.productId === undefined ? undefined : products.get(String(line.productId));
    const kitchenLineId = line.kitchenLineId ?? send.newId();
    return {
      station: stationOf(send.stations, line, product),
      ticketLine: ticketLine(snapshot.posReference, line, { quantity, product, kitchenLineId, send }),
    };
  });
  const stations = send.stations.length === 0 ? [null] : send.stations;
  return stations.flatMap((station): KitchenTicket[] => {
    const own = sent.filter((each) => each.station === station).map((each) => each.ticketLine);
    if (own.length === 0) return [];
    return [
      {
        id: send.newId(),
        posReference: snapshot.posReference,
        stationId: station?.id ?? ONLY_STATION,
        stationName: station?.name ?? null,
        ...addressOf(snapshot),
        sentAt: send.sentAt,
        sentBy: send.sentBy,
        terminalId: send.terminalId,
        ...(send.lateSince !== undefined && { late: true, queuedAt: send.lateSince }),
        seen: [],
        serving: station?.serving === true,
        lines: own,
        readyAt: null,
        isOver: false,
      },
    ];
  });
}

/** Returns the address fields of a ticket, taken from its check. */
export function addressOf(snapshot: Snapshot) {
  const { orderType, tableId, checkNumber, ticketNumber, customerName } = snapshot;
  return {
    orderType,
    tableId,
    checkNumber: checkNumber ?? null,
    ticketNumber: ticketNumber ?? null,
    // Other systems may write an empty name.
    customerName: customerName || null,
    // The following are always present, so that addresses can be compared field by field.
    promisedAt: promisedAtOf(snapshot),
    notes: snapshot.notes?.trim() || undefined,
  };
}

/** Returns the station for a line. If its product is not in the menu any more, the category on the line counts. */
export function stationOf(
  stations: readonly Station[],
  line: StoredLine,
  product: Pick<Product, "categoryId"> | undefined,
): Station | null {
  const own = line["categoryId"];
  return stationFor(stations, line.productId, product?.categoryId ?? (isLabel(own) ? own : undefined));
}

function ticketLine(
  posReference: string,
  line: StoredLine,
  about: { quantity: number; product: Product | undefined; kitchenLineId: string; send: Send },
): TicketLine {
  const { quantity, product, kitchenLineId, send } = about;
  return {
    lineId: line.id,
    productId: line.productId ?? null,
    name: product?.name ?? String(line.productId ?? line.id),
    ...instructionsOf(line),
    quantity,
    preparedQuantity: 0,
    cancelledQuantity: 0,
    state: "unseen",
    kitchenLineId,
    isSeen: false,
    isServed: false,
    ...seatingOf(line),
    ...(send.soldOut.has(line.id) && { soldOut: true }),
    ...(send.lateSince !== undefined && { queuedAt: send.lateSince }),
    shares: [{ posReference, lineId: line.id, quantity, preparedQuantity: 0, cancelledQuantity: 0 }],
  };
}
