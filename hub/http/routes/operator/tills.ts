import { shareTips, sum } from "@comanda/rules";
import type { Jobs } from "../../../jobs/jobs.ts";
import { businessDay, dayBounds, namedDay } from "../../../time/business-day.ts";
import type { ShiftAdmin } from "../../../operator/tills/shift-admin.ts";
import type { TillAdmin } from "../../../operator/tills/till-admin.ts";
import { tipsJob } from "../../../operator/tills/tips-job.ts";
import type { PointOfSale } from "../../../orders/point-of-sale.ts";
import type { World } from "../../../platform/world.ts";
import { presentTill } from "../../../till/till-store.ts";
import { abortOnClose } from "../../abort-on-close.ts";
import type { OperatorHandlers } from "../../handlers.ts";

interface Deps {
  world: World;
  tills: TillAdmin;
  shifts: ShiftAdmin;
  jobs: Pick<Jobs, "query">;
  file: string;
  timeZone: string;
  pos: Pick<PointOfSale, "config">;
  /** How the restaurant divides tips, in percent. */
  shares: Readonly<Record<string, number>>;
}

/** Routes for tills, their shifts and reports, money without a shift, and tips. */
export function operatorTillRoutes({ world, tills, shifts, jobs, file, timeZone, pos, shares }: Deps) {
  return {
    tills: () => ({ tills: tills.list().map(presentTill) }),
    createTill: async ({ body, manager }) => ({ till: presentTill(await tills.create(body, manager.userName)) }),
    changeTill: async ({ params: { tillId }, body, manager }) => ({
      till: presentTill(await tills.change(tillId, body, manager.userName)),
    }),
    async deleteTill({ params: { tillId }, manager }) {
      await tills.remove(tillId, manager.userName);
      return { deleted: true };
    },
    shifts: ({ query: { day, state } }) => ({ shifts: shifts.list(day, state), timeZone }),
    shift: ({ params: { shiftId } }) => shifts.report(shiftId),
    noShift: shifts.noShift,
    assignPayment: ({ params: { paymentId }, body: { shiftId }, manager }) =>
      shifts.assign(paymentId, shiftId, manager.userName),

    async tips({ query: { day: requestedDay }, ctx }) {
      const now = world.clock.now();
      const day = requestedDay === undefined ? businessDay(now, timeZone) : namedDay(requestedDay, now, timeZone);
      const { taxes = [], rounding = null } = pos.config() ?? {};
      const input = { file, ...dayBounds(day, timeZone), taxes, rounding };
      const waiters = await jobs.query(tipsJob, input, { signal: abortOnClose(ctx.res) });
      const legal = sum(waiters.map((each) => each.legal));
      const voluntary = sum(waiters.map((each) => each.voluntary));
      return { day, timeZone, waiters, legal, voluntary, shares: shareTips(sum([legal, voluntary]), shares) };
    },
  } satisfies Partial<OperatorHandlers>;
}
