import { z } from "zod";
import { unboundedNumbers } from "../basics/bounded-numbers.ts";
import {
  MAX_AMOUNT,
  MAX_QUANTITY,
  Money,
  noteText,
  plainText,
  PosReference,
  Quantity,
  TableId,
} from "../basics/fields.ts";
import type { HubLineFieldName, KitchenFieldName } from "./line-fields.ts";
import { brokenLineTexts, ONE_LINE } from "../basics/line-texts.ts";
import { Adjustment, FiscalState, Payment, Tender } from "../money/payments.ts";
import { PluginData } from "./plugins.ts";
import { Refund } from "../money/refunds.ts";

export const OrderType = z.enum(["dine_in", "takeout", "delivery"]);
export type OrderType = z.infer<typeof OrderType>;

export const OrderStatus = z.enum(["open", "sent", "changed", "checkout", "paid", "closed"]);
export type OrderStatus = z.infer<typeof OrderStatus>;

const GuestCount = z.int().positive().max(MAX_QUANTITY);

const charge = z.number().nonnegative().max(MAX_AMOUNT);

/** Amounts in the currency of the point of sale, as decimal numbers; compared as whole ten-thousandths. */
export const Totals = z.strictObject({ subtotal: Money, tax: Money, total: Money });

/** An order line as an integrator sends it. */
export const ExternalLine = z.strictObject({
  id: plainText(64).min(1).optional().describe("your own id of the line; the hub makes one when absent"),
  productId: plainText(64).min(1).describe("id of the product in the back-office"),
  quantity: z.number().positive().max(MAX_QUANTITY),
  unitPrice: charge.describe("as in the menu"),
  total: charge.describe("what the line costs, tax included"),
  taxIds: z.array(plainText(64)).max(100).optional().describe("ids of the taxes in the back-office"),
  taxAmount: charge.optional().describe("the tax contained in `total`"),
  note: noteText(500).optional(),
  specialRequest: noteText(500).optional(),
});
export type ExternalLine = z.infer<typeof ExternalLine>;

/** Higher than the number of lines in the largest allowed request, so that only the size limits integrators. */
const MAX_LINES = 5000;

const lines = z
  .array(ExternalLine)
  .min(1)
  .max(MAX_LINES)
  .refine(hasUniqueIds, { error: "two lines carry the same id" });

function hasUniqueIds(list: readonly { id?: string | undefined }[]): boolean {
  const ids = list.flatMap((line) => (line.id === undefined ? [] : [line.id]));
  return new Set(ids).size === ids.length;
}

/** POST /external/v1/orders. */
export const CreateOrder = z
  .strictObject({
    externalRef: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, "1 to 64 characters of A-Z a-z 0-9 _ -")
      .optional()
      .describe("your own id of the order: the same request again returns the check that it opened first"),
    orderType: OrderType.default("dine_in"),
    tableId: TableId.optional().describe("id in the floor plan, not the number on the table; required for dine_in"),
    customerName: plainText(120).optional(),
    notes: noteText(1000).optional(),
    guestCount: GuestCount.default(1),
    staffName: plainText(120).optional().describe("who took the order; the key's label when absent"),
    lines,
    totals: Totals.describe("`total` is the sum of the lines' `total`, within 0.02; the others are stored as sent"),
    pluginData: PluginData.optional().describe(
      "objects by plugin id, for the terminals; never sent to the back-office",
    ),
  })
  .refine((order) => order.orderType !== "dine_in" || order.tableId !== undefined, {
    error: "required for dine_in",
    path: ["tableId"],
  });
export type CreateOrder = z.infer<typeof CreateOrder>;

/** PATCH /external/v1/orders/:ref. */
export const UpdateOrder = z
  .strictObject({
    baseVersion: z.int().positive().describe("the version that you have read"),
    lines: lines.optional().describe("every line that the check shall have"),
    customerName: plainText(120).optional(),
    notes: noteText(1000).optional(),
    guestCount: GuestCount.optional(),
    pluginData: PluginData.optional().describe("merged by plugin id; an empty object clears what one has"),
  })
  .refine(
    (patch) =>
      patch.lines !== undefined ||
      patch.customerName !== undefined ||
      patch.notes !== undefined ||
      patch.guestCount !== undefined,
    { error: "at least one of lines, customerName, notes, guestCount must be present" },
  );
export type UpdateOrder = z.infer<typeof UpdateOrder>;

/** The kitchen's fields of a line. Only the hub sets them. */
const KitchenFields = z.object({
  kitchenSentAt: z.string().optional(),
  sentQuantity: z.number().optional(),
  /** The voided part of `sentQuantity`, prepared or not. What the line asks for beyond `sentQuantity` is not sent yet. */
  sentVoidedQuantity: z.number().optional(),
  preparedQuantity: z.number().optional(),
  kitchenTicketId: z.string().optional(),
  /** The id that the shares of one sent line have in common after splits. */
  kitchenLineId: z.string().optional(),
  kitchenItemStatus: z.string().optional(),
  /** Set if the send that brought this line to the kitchen was queued for more than 5 minutes. */
  queuedAt: z.string().optional(),
  /** Sold although it had run out, because the send was queued before that. */
  soldOut: z.literal(true).optional(),
} satisfies Record<KitchenFieldName, z.ZodType>);

/** How the price of a line differed from the menu when it was added: `below` the menu's price, or the product was `unknown`. */
export const MenuCheck = z.enum(["below", "unknown"]);
export type MenuCheck = z.infer<typeof MenuCheck>;

/** The fields of a line that only the hub sets. */
const HubLineFields = KitchenFields.extend({ menuCheck: MenuCheck.optional() } satisfies Record<
  Exclude<HubLineFieldName, KitchenFieldName>,
  z.ZodType
>);

/** A line as a terminal sends it. Extra fields are allowed; the hub checks the ones it uses and the ones integrators send. */
export const TerminalLine = z
  .looseObject({
    id: plainText(64).min(1),
    productId: z.union([plainText(64).min(1), z.int().positive()]).optional(),
    quantity: Quantity,
    unitPrice: Money.optional(),
    total: Money.optional(),
    taxIds: z.array(z.union([plainText(64), z.int()])).optional(),
    taxAmount: Money.optional(),
    note: noteText(500).nullish(),
    specialRequest: noteText(500).nullish(),
    /** What a guest must not eat. Kept apart from the notes so that the kitchen cannot mistake it for one. */
    allergy: plainText(200).nullish(),
    voided: z.boolean().optional(),
    /** The voided part of `quantity`; `total` covers the rest. */
    voidedQuantity: Quantity.optional(),
    voidReason: noteText(500).nullish(),
    /** The voided part was given away; it is reported at its value. */
    comp: z.boolean().optional(),
    /** Set on a new line that was split off this line of the same order, or of `splitFrom`. */
    splitOf: plainText(64).min(1).optional(),
    splitFrom: PosReference.optional(),
  } satisfies Record<keyof ExternalLine, z.ZodType> & Record<string, z.ZodType>)
  .refine((line) => (line.voidedQuantity ?? 0) <= line.quantity, {
    error: "cannot be more than quantity",
    path: ["voidedQuantity"],
  });
export type TerminalLine = z.infer<typeof TerminalLine>;

const lineFields: ReadonlySet<string> = new Set(Object.keys(TerminalLine.shape));

/** An order as a terminal sends it; extra fields are allowed. Status, version, times and kitchen fields are ignored. */
export const TerminalSnapshot = z
  .looseObject({
    orderType: OrderType.optional(),
    tableId: TableId.nullish(),
    customerName: plainText(120).nullish(),
    notes: noteText(1000).nullish(),
    guestCount: GuestCount.optional(),
    staffName: plainText(120).nullish(),
    /** Joined tables, the main one first. All of them count as occupied. */
    tableIds: z
      .array(TableId)
      .max(50)
      .refine((ids) => new Set(ids).size === ids.length, { error: "a table is named twice" })
      .nullish(),
    adjustments: z.array(Adjustment).max(100).optional(),
    lines: z
      .array(TerminalLine)
      .max(MAX_LINES)
      .refine(hasUniqueIds, { error: "two lines carry the same id" })
      .optional(),
    totals: z.looseObject({ subtotal: Money, tax: Money, total: Money }).optional(),
    pluginData: PluginData.optional(),
  })
  .check(({ value, issues }) => {
    for (const [index, line] of (value.lines ?? []).entries()) {
      for (const { path, problem } of unboundedNumbers(line, lineFields)) {
        issues.push({ code: "custom", message: problem, path: ["lines", index, ...path], input: line });
      }
      for (const path of brokenLineTexts(line)) {
        issues.push({ code: "custom", message: ONE_LINE, path: ["lines", index, ...path], input: line });
      }
    }
  });
export type TerminalSnapshot = z.infer<typeof TerminalSnapshot>;

/** A line of a stored order. Wider than `TerminalLine`, so that lines stored before a limit existed stay readable. */
export const StoredLine = z.looseObject({
  id: z.string().min(1),
  productId: z.union([z.string(), z.int()]).optional(),
  quantity: z.number(),
  unitPrice: z.number().optional(),
  total: z.number().optional(),
  taxIds: z.array(z.union([z.string(), z.int()])).optional(),
  taxAmount: z.number().optional(),
  note: z.string().nullish(),
  specialRequest: z.string().nullish(),
  allergy: z.string().nullish(),
  voided: z.boolean().optional(),
  voidedQuantity: z.number().optional(),
  voidReason: z.string().nullish(),
  comp: z.boolean().optional(),
  splitOf: z.string().optional(),
  splitFrom: z.string().optional(),
  ...HubLineFields.shape,
} satisfies Record<keyof typeof TerminalLine.shape, z.ZodType>);
export type StoredLine = z.infer<typeof StoredLine>;

/** The content of an order as the hub stores it; times are ISO 8601. */
export const Snapshot = z.looseObject({
  posReference: PosReference,
  status: OrderStatus,
  orderType: OrderType,
  tableId: TableId.nullable(),
  guestCount: z.number(),
  staffName: z.string().nullish(),
  customerName: z.string().nullish(),
  notes: z.string().nullish(),
  checkNumber: z.number().nullish(),
  ticketNumber: z.string().optional(),
  createdAt: z.string(),
  /** When the party sat down, if this check was split off or merged from an older one. */
  seatedAt: z.string().optional(),
  /** Identifies the guests of a split check: all its parts have the same value. */
  partyId: z.string().optional(),
  updatedAt: z.string(),
  lines: z.array(StoredLine),
  totals: z.looseObject({ subtotal: z.number(), tax: z.number(), total: z.number() }),
  /** The payments that settled the check. */
  payments: z.array(z.looseObject({ methodId: z.union([z.int(), z.string()]), amount: z.number() })).optional(),
  /** The idempotency key of the ORDER_PAY that settled it; the same in every retry. */
  paymentId: z.string().optional(),
  /** Payments on a check that is not settled yet, including voided ones. */
  tenders: z.array(Tender).optional(),
  adjustments: z.array(Adjustment).optional(),
  tableIds: z.array(TableId).nullish(),
  ncf: z.string().optional(),
  fiscal: FiscalState.optional(),
  /** Refunds since it was paid, including those whose outcome is unknown. */
  refunds: z.array(Refund).optional(),
  pluginData: PluginData.optional(),
});
export type Snapshot = z.infer<typeof Snapshot>;

/** The state of a paid order's transfer to the back-office. */
export const ForwardState = z.looseObject({
  state: z.enum(["none", "pending", "done", "attention"]),
  at: z.string().optional(),
  error: z.string().optional(),
});
export type ForwardState = z.infer<typeof ForwardState>;

/** An order with its metadata; `createdAt` and `updatedAt` are `YYYY-MM-DD HH:MM:SS` UTC. */
export const StoredOrder = z.looseObject({
  posReference: PosReference,
  version: z.int().positive(),
  tableId: TableId.nullable(),
  terminalId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  snapshot: Snapshot,
  forward: ForwardState.optional(),
});
export type StoredOrder = z.infer<typeof StoredOrder>;

/** A stored order as a terminal returns it, with the limits of terminal input. */
export const OfferedOrder = StoredOrder.extend({
  snapshot: Snapshot.extend({
    lines: z.array(
      StoredLine.extend({
        quantity: Quantity,
        unitPrice: Money.optional(),
        total: Money.optional(),
        taxAmount: Money.optional(),
        voidedQuantity: Quantity.optional(),
        sentQuantity: Quantity.optional(),
        sentVoidedQuantity: Quantity.optional(),
        preparedQuantity: Quantity.optional(),
      }),
    ),
    totals: z.looseObject({ subtotal: Money, tax: Money, total: Money }),
    payments: z.array(Payment).optional(),
  }),
});

/** The removal of a check, discarded or merged into others, with its version. */
export const OrderRemoval = z.object({
  posReference: PosReference,
  version: z.int().positive(),
  /** The checks that received its lines. */
  mergedInto: z.array(PosReference).optional(),
  /** The terminal that removed it, or `hub`. */
  origin: z.string().optional(),
  at: z.string(),
});
export type OrderRemoval = z.infer<typeof OrderRemoval>;

/** An item of GET /external/v1/orders. `origin` is the last writer; `itemCount` counts the lines that are not voided. */
export const OrderSummary = z.object({
  posReference: PosReference,
  version: z.int().positive(),
  tableId: TableId.nullable(),
  status: OrderStatus,
  orderType: OrderType,
  ticketNumber: z.string().nullable(),
  customerName: z.string().nullable(),
  itemCount: z.int().nonnegative(),
  totals: z.object({ subtotal: z.number(), tax: z.number(), total: z.number() }),
  updatedAt: z.string(),
  origin: z.string(),
});
export type OrderSummary = z.infer<typeof OrderSummary>;
