import { type ElectronicReceipt, ElectronicReceipt as Answered, Ncf } from "@comanda/protocol";
import { instantOf } from "@comanda/protocol/chain.ts";
import { z } from "zod";
import { isoTime } from "../platform/world.ts";

/** The longest texts kept from an answer. */
const CODE_MAX = 64;
const URL_MAX = 2_000;
const MAX_ERROR = 500;

const text = (max: number): z.ZodType<string | undefined> =>
  z.string().trim().min(1).max(max).optional().catch(undefined);

/** Validated field by field: an invalid one counts as absent. */
const Fields = z.object({
  ncf: Ncf.optional().catch(undefined),
  securityCode: text(CODE_MAX),
  signedAt: text(CODE_MAX).transform((at) => {
    const time = instantOf(at);
    return time === null ? undefined : isoTime(time);
  }),
  qrUrl: z
    .url({ protocol: /^https?$/ })
    .max(URL_MAX)
    .optional()
    .catch(undefined),
  status: Answered.shape.status.optional().catch(undefined),
  error: z.string().optional().catch(undefined),
});

/**
 * Parses the back-office's answer about an order's electronic receipt; null if it has none that can be read. An answer without
 * a number is about the order's own, `ncf`.
 */
export function readReceipt(answered: unknown, ncf: string | undefined): ElectronicReceipt | null {
  const fields = Fields.safeParse(answered);
  if (!fields.success) return null;
  const { securityCode, signedAt, qrUrl, error } = fields.data;
  const number = fields.data.ncf ?? ncf;
  const status = fields.data.status ?? (securityCode === undefined ? "pending" : "signed");
  if (number === undefined || Object.values(fields.data).every((value) => value === undefined)) return null;
  return {
    ncf: number,
    ...(securityCode !== undefined && { securityCode }),
    ...(signedAt !== undefined && { signedAt }),
    ...(qrUrl !== undefined && { qrUrl }),
    status,
    ...(error !== undefined && { error: error.slice(0, MAX_ERROR) }),
  };
}
