import type { Control } from "../control/control.ts";
import { withoutPasswords, type LoggedRequest } from "../control/request-log.ts";
import type { World } from "../world.ts";
import type { Context, Next } from "./context.ts";
import { readBody } from "./read-body.ts";

/** Logs the request and applies the first fault that matches at its arrival. */
export function recordAndFault({ faults, held, requests }: Control, world: World) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const entry = requests.arrive(world.now(), ctx.method, ctx.path);
    const fault = faults.take(ctx.method, ctx.path);
    entry.fault = fault?.action ?? null;
    ctx.state.body = await readBody(ctx.req);
    if (ctx.state.body.kind === "json") entry.bodyText = withoutPasswords(ctx.state.body.text);

    const { socket } = ctx.req;
    if (fault !== null && fault.latencyMs > 0 && !(await held.wait(socket, fault.latencyMs))) {
      ctx.respond = false;
      return;
    }
    switch (fault?.action) {
      case undefined:
      case "none":
        await next();
        answered(entry, ctx);
        return;
      case "status":
        ctx.status = fault.status;
        ctx.type = "application/json";
        ctx.body = fault.body === undefined ? "" : JSON.stringify(fault.body);
        answered(entry, ctx);
        return;
      case "drop-before":
      case "drop-after":
        if (fault.action === "drop-after") await next();
        ctx.respond = false;
        socket.destroy();
        return;
      case "hang-before":
      case "hang-after":
        if (fault.action === "hang-after") await next();
        ctx.respond = false;
        held.hold(socket);
    }
  };
}

function answered(entry: LoggedRequest, ctx: Context): void {
  entry.status = ctx.status;
}
