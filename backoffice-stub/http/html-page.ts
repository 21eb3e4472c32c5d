import type { QuirkSwitches } from "../control/quirks.ts";
import type { Context, Next } from "./context.ts";

/** The quirk `htmlStatus`: the response of a proxy whose back-office is down. */
export function htmlPage(quirks: QuirkSwitches) {
  return async (ctx: Context, next: Next): Promise<void> => {
    const status = quirks.get().htmlStatus;
    if (status === null) {
      await next();
      return;
    }
    ctx.status = status;
    ctx.type = "html";
    ctx.body = `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>\n`;
  };
}
