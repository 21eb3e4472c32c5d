import type { QuirkSwitches } from "../control/quirks.ts";
import type { Context, Next } from "./context.ts";

/** The quirk `date`: a server with a wrong clock, or a proxy that drops the header. */
export function serverDate(quirks: QuirkSwitches) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const { date } = quirks.get();
    if (date === "none") ctx.res.sendDate = false;
    else if (date !== null) ctx.set("Date", new Date(date).toUTCString());
    await next();
  };
}
