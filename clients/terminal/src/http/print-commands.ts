import type { PrintJobNews } from "@comanda/protocol";
import type { HubHttp, PrintedDocument } from "./hub-http.ts";

export type PrintCommands = ReturnType<typeof createPrintCommands>;

export function createPrintCommands(deps: {
  http: Pick<HubHttp, "print" | "printAgain" | "dismissPrintJob">;
  deviceKey(): string | undefined;
  /** Who acts by PIN. */
  actorToken(): string | undefined;
}) {
  const { http } = deps;

  function signed() {
    const actor = deps.actorToken();
    return { deviceKey: deps.deviceKey() ?? "", ...(actor !== undefined && { actor }) };
  }
  const jobOf = async (answer: Promise<{ job: PrintJobNews }>): Promise<PrintJobNews> => (await answer).job;

  return {
    /** Prints a document; what still waits is answered as it is. NOT_FOUND where nothing prints it. */
    print: (document: PrintedDocument) => jobOf(http.print({ ...document, ...signed() })),
    /**
     * Prints something again that this terminal has had printed: as the original where nothing of it came out, else as a copy
     * that says so. Rejects with TerminalRefusal (PRINTING while it is under way), or HubUnreachableError.
     */
    printAgain: (jobId: string) => jobOf(http.printAgain(jobId, signed())),
    /** Nobody needs it any more, or it came out after all. */
    dismissPrintJob: (jobId: string) => jobOf(http.dismissPrintJob(jobId, signed())),
  };
}
