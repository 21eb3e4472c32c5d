import type { Quirks } from "../control/quirks.ts";

export type RpcId = string | number | null;

/** Builds a result. A null result omits the key, as in Odoo. */
export function rpcResult(id: RpcId, result: unknown): Record<string, unknown> {
  return result === null ? { jsonrpc: "2.0", id } : { jsonrpc: "2.0", id, result };
}

/** Builds a failure. `more` adds fields to `data` that Odoo does not have. */
export function rpcError(
  quirks: Quirks,
  id: RpcId,
  name: string,
  message: string,
  extra: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: quirks.errorCode200 ? 200 : 0,
      message: "Odoo Server Error",
      data: { name, message, arguments: [message], context: {}, debug: "", ...extra },
    },
  };
}

export function deadSession(quirks: Quirks, id: RpcId): Record<string, unknown> {
  const [code, message, name] = quirks.deadSession404
    ? [404, "404: Not Found", "werkzeug.exceptions.NotFound"]
    : [100, "Odoo Session Expired", "odoo.http.SessionExpiredException"];
  const data = { name, message, arguments: [message], context: {}, debug: "" };
  return { jsonrpc: "2.0", id, error: { code, message, data } };
}
