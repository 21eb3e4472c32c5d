import { BackOfficeFailure, JsonRpcCall } from "@comanda/protocol";
import type { QuirkSwitches } from "../control/quirks.ts";
import type { Context, Next } from "./context.ts";
import { deadSession, rpcError, rpcResult, type RpcId } from "./json-rpc.ts";

const nameOfStatus: Record<number, string> = {
  400: "odoo.exceptions.ValidationError",
  403: "odoo.exceptions.AccessError",
  404: "odoo.exceptions.MissingError",
};

/** The quirk `envelope`: POST calls of the POS API become JSON-RPC routes. Plain bodies are still accepted. */
export function envelope(quirks: QuirkSwitches) {
  return async (ctx: Context, next: Next): Promise<void> => {
    if (!quirks.get().envelope || ctx.method !== "POST" || !ctx.path.startsWith("/pos-api/v1/")) {
      await next();
      return;
    }
    const id = unwrap(ctx);
    await next();
    ctx.body = wrap(quirks, id, ctx.status, ctx.body);
    ctx.status = 200;
  };
}

function unwrap(ctx: Context): RpcId {
  const { body } = ctx.state;
  if (body.kind !== "json") return null;
  const call = JsonRpcCall.safeParse(body.value);
  if (!call.success || call.data.jsonrpc === undefined) return null;
  ctx.state.body = { ...body, value: call.data.params };
  return call.data.id ?? null;
}

function wrap(quirks: QuirkSwitches, id: RpcId, status: number, body: unknown): Record<string, unknown> {
  if (status === 401) return deadSession(quirks.get(), id);
  if (status < 400) return rpcResult(id, body);
  const failure = BackOfficeFailure.parse(body);
  const name = nameOfStatus[status] ?? "odoo.exceptions.UserError";
  return rpcError(quirks.get(), id, name, failure.error, { ...failure, status });
}
