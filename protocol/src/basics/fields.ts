import { z } from "zod";
import { MAX_AMOUNT, MAX_QUANTITY } from "./bounds.ts";
import { NOT_PLAIN } from "./line-texts.ts";

/** A user's role in the back-office. A cashier may also take payments and discard checks; a manager may do everything. */
export const Role = z.enum(["waiter", "cashier", "manager"]);
export type Role = z.infer<typeof Role>;

/**
 * 1 to 128 printable characters. Here and below, the documented pattern (`meta`) is slightly wider, because regular expressions
 * in Python and other languages fail on Unicode classes (`\p{…}`).
 */
export const printableText = () =>
  z
    .string()
    .regex(/^[^\p{C}]{1,128}$/u, "1 to 128 printable characters")
    .meta({ pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]{1,128}$` });

/** The reference of an order: 1 to 128 printable characters. `EXT/` is reserved for references that the hub creates. */
export const PosReference = printableText();

/** A terminal's id, also used as the writer of a record. `hub` is reserved. */
export const DeviceId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/, "1 to 64 characters of A-Z a-z 0-9 . _ -")
  .refine((id) => id !== "hub", "this name belongs to the hub");

/**
 * A back-office session id. It is sent as a bearer token and as a cookie, so it must not contain spaces, semicolons, control
 * characters or non-ASCII characters.
 */
export const SessionToken = z
  .string()
  .regex(/^[\x21-\x3a\x3c-\x7e]{1,512}$/, "1 to 512 characters of ASCII without spaces and semicolons");

/** A back-office table record id, not the number on the table. */
export const TableId = z.int().positive();

export { MAX_AMOUNT, MAX_QUANTITY };

/** Money in the currency of the point of sale, as a decimal number; negative for a refund. */
export const Money = z.number().min(-MAX_AMOUNT).max(MAX_AMOUNT);
export const Quantity = z.number().min(0).max(MAX_QUANTITY);

export const CONTROL_CHARACTER = "must not hold control characters";

/**
 * One line of text in one direction. Control characters could act on printers and logs. Characters that change the text
 * direction can disguise what follows. A lone surrogate has no UTF-8 form and would be read back as different text.
 */
export const plainText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(new RegExp(`^[^${NOT_PLAIN}]*$`, "u"), CONTROL_CHARACTER)
    .meta({ pattern: String.raw`^[^\x00-\x1f\x7f-\x9f]*$` });
/** A note: like `plainText`, but with tabs and line breaks. CR LF, as HTML forms and Windows write, becomes LF. */
export const noteText = (max: number) =>
  z
    .string()
    .overwrite((text) => text.replaceAll("\r\n", "\n"))
    .max(max)
    .regex(/^(?:[\n\t]|[^\p{Cc}\p{Cs}])*$/u, CONTROL_CHARACTER)
    .meta({ pattern: String.raw`^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]*$` });

export const IsoTime = z.iso.datetime({ offset: true });
