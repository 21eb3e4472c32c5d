import type { PrintError, PrinterState } from "@comanda/protocol";

/** Why a document did not come out, or may not have. */
export class PrintFailure extends Error {
  override readonly name = "PrintFailure";
  readonly error: PrintError;
  /** Bytes of the document may have left. */
  readonly hasBegun: boolean;

  constructor(error: PrintError, hasBegun: boolean, cause?: unknown) {
    super(error, { cause });
    this.error = error;
    this.hasBegun = hasBegun;
  }
}

/** An open way to a printer, for one document at most. */
export interface Line {
  /** As it was when the line was opened; `unknown` where it does not say. */
  readonly state: PrinterState;
  /** Ends it without a document; throws a PrintFailure where nothing at the other end reads. */
  endEmpty(): Promise<void>;
  /** Resolves with the state afterwards when the document is printed, as far as that can be known. Throws a PrintFailure. */
  print(document: Uint8Array): Promise<PrinterState>;
  /** Cuts it off. */
  close(): void;
}

export function canPrint(state: PrinterState): boolean {
  return state === "ready" || state === "paper_low" || state === "unknown";
}
