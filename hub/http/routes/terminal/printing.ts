import { requireMayRepeat } from "../../../documents/print-requests.ts";
import { personOfToken } from "../../../orders/mutations/acting-writer.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { TerminalHandlers } from "../../handlers.ts";

/** Routes for print jobs that did not come out of a printer. */
export function terminalPrintingRoutes(
  stores: Pick<Stores, "changes" | "printJobs" | "spool" | "people" | "terminalStore">,
) {
  const { changes, printJobs: jobs, spool, people, terminalStore } = stores;

  return {
    async printAgain({ params: { jobId }, body, user }) {
      const terminalId = terminalStore.requireDevice(body.deviceKey);
      const { actor } = body;
      const person =
        actor === undefined ? user : personOfToken(people, terminalId, actor, { mutationId: jobId, as: "actor" });
      const job = await changes.write((tx) => {
        const printJob = jobs.get(jobId);
        if (printJob?.terminalId === terminalId) requireMayRepeat(person, printJob);
        return spool.again(tx, jobId, terminalId);
      });
      return { job: spool.presentChange(job) };
    },
    async dismissPrintJob({ params: { jobId }, body }) {
      const terminalId = terminalStore.requireDevice(body.deviceKey);
      const job = await changes.write((tx) => spool.dismiss(tx, jobId, terminalId));
      return { job: spool.presentChange(job) };
    },
  } satisfies Partial<TerminalHandlers>;
}
