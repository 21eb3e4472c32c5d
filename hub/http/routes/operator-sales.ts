import type { PointOfSale } from "../../orders/point-of-sale.ts";
import type { Jobs } from "../../jobs/jobs.ts";
import { salesJob } from "../../operator/sales/sales-job.ts";
import { isoTime, type World } from "../../platform/world.ts";
import type { OperatorHandlers } from "../handlers.ts";
import { clientGone } from "../client-gone.ts";

interface Deps {
  world: World;
  jobs: Pick<Jobs, "query">;
  file: string;
  timeZone: string;
  pos: Pick<PointOfSale, "session" | "config">;
  /** When the session began that is counted, ms since 1970. */
  since(): number;
}

/** What the business day has sold, counted in a thread of its own. */
export function operatorSalesRoutes({ world, jobs, file, timeZone, pos, since }: Deps) {
  return {
    async sales({ ctx }) {
      const from = since();
      const { taxes = [], rounding = null } = pos.config() ?? {};
      const signal = clientGone(ctx.res);
      const sold = await jobs.query(salesJob, { file, since: from, timeZone, taxes, rounding }, { signal });
      const session = pos.session();
      return {
        since: isoTime(from),
        session: session?.active === true ? { name: session.name ?? null } : null,
        asOf: isoTime(world.clock.now()),
        timeZone,
        ...sold,
      };
    },
  } satisfies Partial<OperatorHandlers>;
}
