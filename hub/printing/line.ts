import type { PrintError, PrinterState } from "@comanda/protocol";

/** The reason why a document was not printed, or may not have been. */
export class PrintFailure extends Error {
  override readonly name = "PrintFailure";
  readonly error: PrintError;
  /** Whether bytes of the document may have been sent. */
  readonly hasBegun: boolean;

  constructor(error: PrintError, hasBegun: boolean, cause?: unknown) {
    super(error, { cause });
    this.error = error;
    this.hasBegun = hasBegun;
  }
}

/** An open connection to a printer, for one document at most. */
export interface Line {
  /** The state when the line was opened; `unknown` if the printer does not report it. */
  readonly state: PrinterState;
  /** Ends the line without a document. Throws a PrintFailure if nothing reads at the other end. */
  endEmpty(): Promise<void>;
  /** Resolves with the state after printing, as far as it can be known. Throws a PrintFailure. */
  print(document: Uint8Array): Promise<PrinterState>;
  /** Aborts the connection. */
  close(): void;
}

export function canPrint(state: PrinterState): boolean {
  return state === "ready" || state === "paper_low" || state === "unknown";
}
