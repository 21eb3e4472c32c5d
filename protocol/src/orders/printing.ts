import { z } from "zod";
import { CONTROL_CHARACTER, DeviceId, plainText } from "../basics/fields.ts";
import { StationId } from "./kitchen.ts";

/** The id of a printer, assigned by the hub. */
export const PrinterId = plainText(64).min(1);

/** `tcp://host[:port]` (default 9100), or `queue:NAME` with the name of a queue in the PC's print system. */
export const PrinterAddress = z
  .string()
  .max(255)
  .regex(/^(?:tcp:\/\/(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?|queue:[^\s-](?:(?:\S| ){0,125}\S)?)$/, {
    error: "must be tcp://host[:port] or queue:NAME",
  })
  .refine((address) => !/\p{Cc}/u.test(address), { error: CONTROL_CHARACTER })
  .refine(hasPossiblePort, { error: "has a port from 1 to 65535" });

function hasPossiblePort(address: string): boolean {
  const [, port] = /^tcp:.*:(\d+)$/.exec(address) ?? [];
  return port === undefined || (Number(port) >= 1 && Number(port) <= 65_535);
}

export const CodePage = z.enum(["auto", "pc437", "pc850", "pc858", "cp1252"]);
export type CodePage = z.infer<typeof CodePage>;

/** 80 mm paper has 48 columns, 58 mm paper 32. */
export const PaperWidth = z.union([z.literal(80), z.literal(58)]);

export const Printer = z.object({
  id: PrinterId,
  name: plainText(120).min(1),
  address: PrinterAddress,
  width: PaperWidth,
  model: plainText(120).optional(),
  codePage: CodePage.optional(),
  cutter: z.boolean(),
  drawer: z.boolean(),
  /** The printer that takes its station slips while it cannot print. */
  fallback: PrinterId.optional(),
});
export type Printer = z.infer<typeof Printer>;

/** `unknown`: it reports no status, but jobs are sent to it all the same. */
export const PrinterState = z.enum(["ready", "paper_low", "paper_out", "cover_open", "unreachable", "unknown"]);
export type PrinterState = z.infer<typeof PrinterState>;

/** When a terminal's receipt is printed at a payment. */
export const ReceiptMode = z.enum(["always", "ask", "never"]);
export type ReceiptMode = z.infer<typeof ReceiptMode>;

/** Which printer prints what. `paperOnly`: stations that do not mark dishes. */
export const PrintRoutes = z.object({
  stations: z.record(StationId, z.array(PrinterId).max(10)).default({}),
  terminals: z
    .record(DeviceId, z.object({ printer: PrinterId.optional(), receipt: ReceiptMode.default("always") }))
    .default({}),
  receipts: PrinterId.optional(),
  fallback: PrinterId.optional(),
  paperOnly: z.array(StationId).max(50).optional(),
});
export type PrintRoutes = z.infer<typeof PrintRoutes>;

const style = {
  align: z.enum(["center", "right"]).optional(),
  /** `tall`: double height; `large`: double height and width. */
  size: z.enum(["tall", "large"]).optional(),
  bold: z.literal(true).optional(),
  /** White on black. */
  inverse: z.literal(true).optional(),
};

/** A piece of a document with its final text. Columns and line breaks depend on the paper width. */
export const Block = z.discriminatedUnion("kind", [
  /** `says`: what the text means to the hub; `pending`: the fiscal answer is still missing. */
  z.object({ kind: z.literal("text"), text: z.string(), ...style, says: z.literal("pending").optional() }),
  /** `left` wraps in the columns that `right` leaves free, for example a dish and its amount; `indent` in columns. */
  z.object({ kind: z.literal("row"), left: z.string(), right: z.string(), indent: z.int().optional(), ...style }),
  z.object({ kind: z.literal("rule") }),
  z.object({ kind: z.literal("feed"), lines: z.int().positive() }),
  z.object({ kind: z.literal("qr"), text: z.string() }),
  /** Code 128. */
  z.object({ kind: z.literal("barcode"), text: z.string() }),
]);
export type Block = z.infer<typeof Block>;

export const PrintDocument = z.enum(["station", "bill", "receipt", "credit-note", "till", "drawer", "test"]);
export type PrintDocument = z.infer<typeof PrintDocument>;

/**
 * `unknown`: it may have been printed. `failed`: it was not, and the hub does not retry it. `dropped`: a person dismissed it.
 */
export const PrintJobState = z.enum(["waiting", "printing", "printed", "unknown", "failed", "dropped"]);
export type PrintJobState = z.infer<typeof PrintJobState>;

/** Why a job was not printed, or may not have been. */
export const PrintError = z.enum([
  "unreachable",
  "paper_out",
  "cover_open",
  /** The printer stopped accepting data, or never confirmed the document. */
  "not_confirmed",
  "line_broken",
  "hub_ended",
  "restored",
  "expired",
  "printer_removed",
  /** No printer is configured for it. */
  "no_printer",
  /** A drawer pulse is sent immediately or not at all. */
  "pulse_late",
  /** The PC's print system rejected it. */
  "refused",
  "unreadable",
]);
export type PrintError = z.infer<typeof PrintError>;

/** The state of a job, as sent to the terminal that caused it. */
export const PrintJobNews = z.object({
  id: z.string(),
  state: PrintJobState,
  document: PrintDocument,
  posReference: z.string().optional(),
  /** The name of its printer; empty if it has none, or if the printer was removed. */
  printer: z.string(),
  error: PrintError.optional(),
  /** It only opens a drawer, so there is nothing to print again. */
  isPulseOnly: z.literal(true).optional(),
  /** The job that this one reprints. */
  copyOf: z.string().optional(),
  /** A person has resolved it. */
  settled: z.literal(true).optional(),
});
export type PrintJobNews = z.infer<typeof PrintJobNews>;
