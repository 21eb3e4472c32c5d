import type { PrintJobNews } from "@comanda/protocol";
import type { HubHttp, PrintedDocument } from "./hub-http.ts";

export type PrintCommands = ReturnType<typeof createPrintCommands>;

export function createPrintCommands(deps: {
  http: Pick<HubHttp, "print" | "printAgain" | "dismissPrintJob">;
  deviceKey(): string | undefined;
  /** The token of the person who acts by PIN. */
  actorToken(): string | undefined;
}) {
  const { http } = deps;

  function signed() {
    const actor = deps.actorToken();
    return { deviceKey: deps.deviceKey() ?? "", ...(actor !== undefined && { actor }) };
  }
  const jobOf = async (answer: Promise<{ job: PrintJobNews }>): Promise<PrintJobNews> => (await answer).job;

  return {
    /** Prints a document, or returns its job if that is still waiting. Throws NOT_FOUND if no printer takes it. */
    print: (document: PrintedDocument) => jobOf(http.print({ ...document, ...signed() })),
    /**
     * Prints a job of this terminal again: as the original if nothing came out, otherwise marked as a copy. Rejects with
     * TerminalRefusal (PRINTING while it is under way), or HubUnreachableError.
     */
    printAgain: (jobId: string) => jobOf(http.printAgain(jobId, signed())),
    /** Dismisses a job that is not needed any more, or came out after all. */
    dismissPrintJob: (jobId: string) => jobOf(http.dismissPrintJob(jobId, signed())),
  };
}
