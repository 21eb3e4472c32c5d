import type { PrinterState } from "@comanda/protocol";

/** `DLE EOT n`: the status request that ESC/POS printers answer even while they cannot print. */
const request = (n: number): Uint8Array => Uint8Array.of(0x10, 0x04, n);
const ONLINE = 1;
const OFFLINE_CAUSE = 2;
const PAPER = 4;

/** Never part of a document, whatever the printer answers. */
export const statusRequest = request(ONLINE);

/** An answer is one byte with bits 1 and 4 set and bits 0 and 7 clear. Other bytes are ignored. */
const isAnswer = (byte: number): boolean => (byte & 0x93) === 0x12;

/** Asks a printer for its state over its connection, one request at a time. */
export function createStatusReader(
  send: (request: Uint8Array) => void,
  line: { within<T>(ms: number, work: Promise<T>): Promise<T>; hasEnded(): boolean },
) {
  let answered: ((byte: number) => void) | null = null;

  /** Resolves to null if there is no answer in time. */
  async function askFor(n: number, ms: number): Promise<number | null> {
    const answer = new Promise<number>((resolve) => (answered = resolve));
    send(request(n));
    try {
      return await line.within(ms, answer);
    } catch (error) {
      if (line.hasEnded()) throw error;
      return null;
    } finally {
      answered = null;
    }
  }

  return {
    take(bytes: Buffer): void {
      for (const byte of bytes) if (isAnswer(byte)) answered?.(byte);
    },
    /** Resolves to `unknown` if the printer does not answer within `ms`. Rejects if the connection ends. */
    async ask(ms: number): Promise<PrinterState> {
      const online = await askFor(ONLINE, ms);
      if (online === null) return "unknown";
      const cause = await askFor(OFFLINE_CAUSE, ms);
      const paper = await askFor(PAPER, ms);
      return stateOf(online, cause ?? 0, paper ?? 0);
    },
  };
}

function stateOf(online: number, cause: number, paper: number): PrinterState {
  if ((cause & 0x04) !== 0) return "cover_open";
  if ((paper & 0x60) !== 0 || (cause & 0x20) !== 0) return "paper_out";
  // Offline for another reason, such as a jammed cutter: nothing prints until a person fixes it.
  if ((online & 0x08) !== 0 || (cause & 0x40) !== 0) return "unreachable";
  return (paper & 0x0c) !== 0 ? "paper_low" : "ready";
}
