import { z } from "zod";

/** A JSON-RPC call in Odoo's dialect: `method` is ignored, `params` must be an object. */
export const JsonRpcCall = z.object({
  jsonrpc: z.string().optional(),
  id: z.union([z.string(), z.number()]).nullish(),
  params: z.record(z.string(), z.unknown()),
});

/**
 * A JSON-RPC failure. Branch on `data.name`, because `code` is 0 or 200 depending on the version. An expired session has `code`
 * 100, or 404 on a server with several databases. For a wrapped POS API answer, `data` also has its `errorCode` and `status`.
 */
export const JsonRpcError = z.object({
  code: z.number(),
  message: z.string(),
  data: z
    .object({
      name: z.string().optional(),
      message: z.string().optional(),
      errorCode: z.string().optional(),
      status: z.int().optional(),
    })
    .optional(),
});
export type JsonRpcError = z.infer<typeof JsonRpcError>;

/** A JSON-RPC answer. HTTP 200 does not mean success. A null result omits the key `result`. */
export const JsonRpcAnswer = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullish(),
  result: z.unknown().optional(),
  error: JsonRpcError.nullish(),
});

/** The body of every failure of `/pos-api/v1`. CLIENT_TOO_OLD adds `minClientVersion`, NCF_ALREADY_RESERVED `ncf`, `type`. */
export const BackOfficeFailure = z.looseObject({ error: z.string(), errorCode: z.string() });

/** The error codes of `/pos-api/v1`. */
export const BackOfficeErrorCode = z.enum([
  "VALIDATION_ERROR",
  "UNAUTHENTICATED",
  "FORBIDDEN",
  "NOT_FOUND",
  "PAYLOAD_TOO_LARGE",
  "CLIENT_TOO_OLD",
  "NO_ACTIVE_SESSION",
  "TABLE_IN_USE",
  "NCF_ALREADY_RESERVED",
  "NCF_EXHAUSTED",
  "NCF_USED",
  "NCF_CONFLICT",
  "TOTALS_MISMATCH",
  "NCF_INVALID",
  "ORDER_HAS_NO_NCF",
  "ALREADY_CREDITED",
  "NOTHING_VOIDED",
  "INTERNAL_ERROR",
]);
export type BackOfficeErrorCode = z.infer<typeof BackOfficeErrorCode>;
