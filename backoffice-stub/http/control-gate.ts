import { Refusal } from "../refusal.ts";
import type { Context, Next } from "./context.ts";
import { readBody } from "./read-body.ts";

/** Restricts the control API to this machine, by the socket's peer address. It is neither faulted nor logged. */
export async function controlGate(ctx: Context, next: Next): Promise<void> {
  if (isControlPath(ctx.path)) {
    if (!isLoopback(ctx.req.socket.remoteAddress ?? "")) {
      throw new Refusal("FORBIDDEN", "the control surface is for this machine only");
    }
    ctx.state.body = await readBody(ctx.req);
  }
  await next();
}

export function isControlPath(path: string): boolean {
  return path === "/stub/v1" || path.startsWith("/stub/v1/");
}

export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address) || address === "::1";
}
