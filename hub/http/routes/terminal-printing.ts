import { personOfToken } from "../../orders/mutations/acting-writer.ts";
import type { Person } from "../../people/person.ts";
import { HubError } from "../../platform/errors.ts";
import type { JobStore } from "../../printing/job-store.ts";
import type { Stores } from "../../stores/create-stores.ts";
import type { SessionUser } from "../access/access.ts";
import type { TerminalHandlers } from "../handlers.ts";

/** What people at a terminal do about what did not come out of a printer. */
export function terminalPrintingRoutes(
  deps: Pick<Stores, "changes" | "spool" | "people" | "terminalStore"> & {
    jobs: JobStore;
  },
) {
  const { changes, jobs, spool } = deps;

  function deviceOf(deviceKey: string): string {
    const deviceId = deps.terminalStore.deviceOf(deviceKey);
    if (deviceId !== null) return deviceId;
    throw new HubError("UNAUTHENTICATED", "deviceKey: this hub knows no device with this key");
  }

  return {
    async printAgain({ params: { jobId }, body, user }) {
      const terminalId = deviceOf(body.deviceKey);
      const { actor } = body;
      const person =
        actor === undefined ? user : personOfToken(deps.people, terminalId, actor, { mutationId: jobId, as: "actor" });
      const job = await changes.write((tx) => {
        if (jobs.get(jobId)?.terminalId === terminalId) requireMayRepeat(person, jobs.get(jobId)?.document);
        return spool.again(tx, jobId, terminalId);
      });
      return { job: spool.newsOf(job) };
    },
    async dismissPrintJob({ params: { jobId }, body }) {
      const terminalId = deviceOf(body.deviceKey);
      const job = await changes.write((tx) => spool.dismiss(tx, jobId, terminalId));
      return { job: spool.newsOf(job) };
    },
  } satisfies Partial<TerminalHandlers>;
}

/** Another receipt of the same payment is good for fraud. */
function requireMayRepeat({ role }: Pick<SessionUser | Person, "role">, document: string | undefined): void {
  if (role !== "waiter" || (document !== "receipt" && document !== "credit-note")) return;
  throw new HubError("FORBIDDEN", "only a cashier or manager may print a receipt again");
}
