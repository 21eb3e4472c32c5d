import type { PrintJobNews } from "@comanda/protocol";
import type { HubHttp, PrintedDocument } from "./hub-http.ts";

export interface PrintCommands {
  /**
   * Prints something again that this terminal has had printed: as the original where nothing of it came out, else as a copy
   * that says so. Rejects with TerminalRefusal (PRINTING while it is under way), or HubUnreachableError.
   */
  printAgain(jobId: string): Promise<PrintJobNews>;
  /** Prints a document; what still waits is answered as it is. NOT_FOUND where nothing prints it. */
  print(document: PrintedDocument): Promise<PrintJobNews>;
  /** Nobody needs it any more, or it came out after all. */
  dismissPrintJob(jobId: string): Promise<PrintJobNews>;
}

export function createPrintCommands(deps: {
  http: Pick<HubHttp, "print" | "printAgain" | "dismissPrintJob">;
  deviceKey(): string | undefined;
  /** Who acts by PIN. */
  actorToken(): string | undefined;
}): PrintCommands {
  const { http } = deps;

  function signed() {
    const actor = deps.actorToken();
    return { deviceKey: deps.deviceKey() ?? "", ...(actor !== undefined && { actor }) };
  }
  const jobOf = async (answer: Promise<{ job: PrintJobNews }>): Promise<PrintJobNews> => (await answer).job;

  return {
    print: (document) => jobOf(http.print({ ...document, ...signed() })),
    printAgain: (jobId) => jobOf(http.printAgain(jobId, signed())),
    dismissPrintJob: (jobId) => jobOf(http.dismissPrintJob(jobId, signed())),
  };
}
