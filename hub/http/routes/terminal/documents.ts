import type { PrintRequests } from "../../../documents/print-requests.ts";
import { personOfToken } from "../../../orders/mutations/acting-writer.ts";
import type { Stores } from "../../../stores/create-stores.ts";
import type { TerminalHandlers } from "../../handlers.ts";

/** Routes for documents that people print from a terminal. */
export function terminalDocumentRoutes(
  deps: Pick<Stores, "changes" | "spool" | "people" | "terminalStore"> & {
    requests: PrintRequests;
  },
) {
  const { changes, requests, spool, people, terminalStore } = deps;
  return {
    async print({ user, body }) {
      const { deviceKey, actor, ...document } = body;
      const terminalId = terminalStore.requireDevice(deviceKey);
      const use = { mutationId: "", as: "actor" } as const;
      const { role } = actor === undefined ? user : personOfToken(people, terminalId, actor, use);
      const job = await changes.write((tx) => requests.print(tx, document, { terminalId, role }));
      return { job: spool.presentChange(job) };
    },
  } satisfies Partial<TerminalHandlers>;
}
