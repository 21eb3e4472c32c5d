import type { KitchenTicket, ShiftReport, Snapshot, TicketLine } from "@comanda/protocol";
import { createPaperContext } from "../src/index.ts";

/** A restaurant with everything that a receipt must name. */
export const paperContext = createPaperContext(
  {
    name: "Comedor",
    currency: "DOP",
    rounding: "line",
    company: {
      name: "El Fogón de Doña Ñica",
      legalName: "Inversiones Peñón Azúa, S.R.L.",
      rnc: "1-31-24679-6",
      address: "C/ José Reyes 12, Ciudad Colonial, Santo Domingo",
      phone: "809-555-0134",
    },
    taxes: [
      { id: 1, name: "ITBIS 18 %", rate: 18, included: false, orderTypes: ["dine_in", "takeout", "delivery"] },
      { id: 2, name: "Propina legal 10 %", rate: 10, included: false, orderTypes: ["dine_in"] },
    ],
    products: [],
    paymentMethods: [
      { id: 1, name: "Efectivo", type: "cash" },
      { id: 2, name: "Tarjeta", type: "bank" },
    ],
    floors: [
      {
        id: 1,
        name: "Salón",
        layoutMode: "free",
        tables: [
          { id: 5, name: "5", seats: 4, x: 0, y: 0, width: 1, height: 1, shape: "square", state: "free" },
          { id: 8, name: "Terraza 2", seats: 4, x: 0, y: 0, width: 1, height: 1, shape: "square", state: "free" },
        ],
      },
    ],
  },
  "America/Santo_Domingo",
);

export function ticketLine(line: Partial<TicketLine> & Pick<TicketLine, "name" | "quantity">): TicketLine {
  return {
    lineId: line.name,
    productId: null,
    preparedQuantity: 0,
    cancelledQuantity: 0,
    state: "unseen",
    kitchenLineId: line.name,
    isSeen: false,
    isServed: false,
    shares: [],
    ...line,
  };
}

export function ticket(fields: Partial<KitchenTicket> = {}): KitchenTicket {
  return {
    id: "a1b2c3d4-0000-4000-8000-000000000000",
    posReference: "TAB/1",
    stationId: "hot",
    stationName: "Cocina caliente",
    orderType: "dine_in",
    tableId: 5,
    checkNumber: 12,
    ticketNumber: null,
    customerName: null,
    sentAt: "2026-11-27T23:42:00.000Z",
    sentBy: "Ana",
    terminalId: "tablet",
    seen: [],
    serving: false,
    lines: [
      ticketLine({
        name: "Mofongo con camarones al ajillo",
        quantity: 2,
        seat: 1,
        course: 1,
        modifiers: [{ name: "Sin ajo" }],
      }),
      ticketLine({ name: "Sancocho", quantity: 1, seat: 2, course: 1, note: "bien caliente", allergy: "maní" }),
      ticketLine({ name: "Flan de coco", quantity: 3, course: 2, modifiers: [{ name: "Helado", quantity: 2 }] }),
    ],
    readyAt: null,
    isOver: false,
    ...fields,
  };
}

/** Builds a paid check at table 5 with every kind of amount. */
export function paidCheck(fields: Partial<Snapshot> = {}): Snapshot {
  const taxIds = [1, 2];
  return {
    posReference: "TAB/1",
    status: "paid",
    orderType: "dine_in",
    tableId: 5,
    guestCount: 3,
    staffName: "Ana",
    checkNumber: 12,
    createdAt: "2026-11-27T23:00:00.000Z",
    updatedAt: "2026-11-28T00:10:00.000Z",
    paidAt: "2026-11-28T00:10:00.000Z",
    lines: [
      {
        id: "l1",
        name: "Mofongo con camarones al ajillo",
        quantity: 2,
        unitPrice: 450,
        total: 1152,
        taxAmount: 252,
        taxIds,
        modifiers: [{ name: "Sin ajo", price: 0 }],
      },
      { id: "l2", name: "Sancocho", quantity: 1, unitPrice: 325.5, total: 416.64, taxAmount: 91.14, taxIds },
      {
        id: "l3",
        name: "Jugo de chinola",
        quantity: 2,
        voidedQuantity: 1,
        unitPrice: 100,
        total: 128,
        taxAmount: 28,
        taxIds,
      },
      { id: "l4", name: "Flan", quantity: 1, voided: true, unitPrice: 150, total: 192, taxAmount: 42, taxIds },
    ],
    totals: { subtotal: 1325.5, tax: 371.14, total: 1596.64 },
    adjustments: [{ kind: "discount", amount: -100, reason: "cliente frecuente" }],
    payments: [
      { methodId: 1, amount: 1000, tendered: 1000, change: 0 },
      { methodId: 2, amount: 596.64, tip: 100, reference: "4821" },
    ],
    ncf: "E310000000042",
    fiscal: {
      status: "assigned",
      type: "E31",
      rnc: "131246789",
      name: "Ferretería Núñez, S.A.",
      expiresOn: "2027-12-31",
      lookup: "BCDF2345",
      ecf: {
        ncf: "E310000000042",
        securityCode: "aB3xY9",
        signedAt: "2026-11-28T00:10:03.000Z",
        qrUrl:
          "https://ecf.dgii.gov.do/ecf/ConsultaTimbre?RncEmisor=131246796&ENCF=E310000000042&CodigoSeguridad=aB3xY9",
        status: "accepted",
      },
    },
    ...fields,
  };
}

/** A refund made the next day for one of the two mofongos. */
export const refund = {
  refundId: "r1",
  state: "made" as const,
  at: "2026-11-28T15:00:00.000Z",
  madeAt: "2026-11-28T15:00:01.000Z",
  by: "Luz",
  approvedBy: "Pedro",
  terminalId: "caja",
  reason: "Plato frío",
  lines: [{ lineId: "l1", quantity: 1 }],
  amount: 542.05,
  refund: [{ methodId: 1, amount: 542.05 }],
  ncf: "E340000000007",
  modifies: "E310000000042",
};

/** The back-office's e-CF data of the credit note. */
export const signedNote = {
  ncf: "E340000000007",
  securityCode: "kQ7mP2",
  signedAt: "2026-11-28T15:00:01.000Z",
  qrUrl: "https://ecf.dgii.gov.do/ecf/ConsultaTimbre?RncEmisor=131246796&ENCF=E340000000007&CodigoSeguridad=kQ7mP2",
  status: "accepted" as const,
};

const methodSums = { tips: 0, refunded: 0, counted: null, difference: null };

/** A counted shift with dollars, a drop and late money. */
export const closedShift: ShiftReport = {
  id: "9d0a0001-0000-4000-8000-000000000001",
  tillId: "bar",
  tillName: "Barra",
  state: "closed",
  openedAt: "2026-11-27T16:00:00.000Z",
  openedBy: "Luz",
  countedAt: "2026-11-28T03:00:00.000Z",
  closedAt: "2026-11-28T03:00:00.000Z",
  closedBy: "Luz",
  approvedBy: "Marisol",
  sales: 9600,
  difference: -10,
  float: 2000,
  floats: [{ currency: "USD", amount: 20 }],
  byMethod: [
    {
      ...methodSums,
      methodId: 1,
      sales: 5600,
      tips: 150,
      refunded: 100,
      foreign: 3660,
      expected: 2650,
      counted: 2640,
      difference: -10,
    },
    { ...methodSums, methodId: 1, currency: "USD", sales: 61, expected: 81, counted: 81, difference: 0 },
    { ...methodSums, methodId: 2, sales: 4000, expected: 4000 },
  ],
  moves: [
    { kind: "drop", amount: 1340, reason: "Caja fuerte", at: "2026-11-27T23:30:00.000Z", by: "Luz", terminalId: "bar" },
  ],
  refunds: { count: 1, amount: 100 },
  discounts: { count: 0, amount: 0 },
  voids: { count: 2, amount: 450 },
  comps: { count: 0, amount: 0 },
  tips: [{ userName: "Carlos", amount: 150 }],
  checks: { from: "1", to: "14", count: 14 },
  fiscal: [{ type: "E32", from: "E320000000101", to: "E320000000114", count: 14 }],
  counts: [
    {
      at: "2026-11-28T02:50:00.000Z",
      by: "Luz",
      terminalId: "bar",
      counted: [
        { methodId: 1, amount: 2400 },
        { methodId: 1, currency: "USD", amount: 81 },
      ],
      note: "un billete roto",
    },
    {
      at: "2026-11-28T03:00:00.000Z",
      by: "Luz",
      approvedBy: "Marisol",
      terminalId: "bar",
      counted: [
        { methodId: 1, amount: 2640 },
        { methodId: 1, currency: "USD", amount: 81 },
      ],
    },
  ],
  openings: [],
  late: [
    {
      paymentId: "7",
      posReference: "POS/2026/00012",
      kind: "payment",
      methodId: 1,
      currency: "USD",
      foreignAmount: 61,
      amount: 3600.1,
      tip: 59.9,
      at: "2026-11-28T02:10:00.000Z",
      takenBy: "Luz",
      terminalId: "bar",
      assignedBy: "Marisol",
      assignedAt: "2026-11-28T12:00:00.000Z",
    },
  ],
};
