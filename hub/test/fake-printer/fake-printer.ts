import { createServer, type Server, type Socket } from "node:net";
import { decode, type Paper } from "./decode.ts";

/** Faults of a printer. All can be changed while it runs. */
export interface PrinterFaults {
  /** Does not answer status requests. */
  isSilent: boolean;
  paper: "enough" | "low" | "out";
  isCoverOpen: boolean;
  /** Reads nothing until `mend`, as if it hung or another PC held the connection. */
  isStuck: boolean;
  /** Delay per 64 bytes, in ms. The printer reads no more data meanwhile. */
  slowMs: number;
  /** Closes the connection after a document and this idle time, in ms; null for never. */
  closesAfterMs: number | null;
  /** A fault that happens once, after this many more document bytes. */
  after: {
    bytes: number;
    fault: "end" | "reset" | "close" | "end_and_reset" | "paper_out" | "cover_open" | "die";
  } | null;
}

/** The document sent over one connection. */
export interface PrintedDocument {
  /** Printed bytes. */
  bytes: Uint8Array;
  /** The connection was cut during the document. */
  isCut: boolean;
  /** Number of received bytes not printed yet. */
  unprinted: number;
  /** No more bytes of it will arrive. */
  isOver: boolean;
}

export type FakePrinter = Awaited<ReturnType<typeof startFakePrinter>>;

const noFaults: PrinterFaults = {
  isSilent: false,
  paper: "enough",
  isCoverOpen: false,
  isStuck: false,
  slowMs: 0,
  closesAfterMs: null,
  after: null,
};
const SLOW_BYTES = 64;

/** Starts a simulated network receipt printer that accepts documents, answers DLE EOT and has the given faults. */
export async function startFakePrinter({ port = 0, host = "127.0.0.1" } = {}) {
  const faults = { ...noFaults };
  const documents: { printed: number[]; unprinted: number[]; isCut: boolean; isOver: boolean }[] = [];
  const sockets = new Set<Socket>();
  let server: Server | null = null;
  let listeningPort = port;
  let connections = 0;
  let mended = Promise.withResolvers<void>();

  const canPrint = (): boolean => faults.paper !== "out" && !faults.isCoverOpen;

  function serve(socket: Socket): void {
    connections += 1;
    sockets.add(socket);
    let document: (typeof documents)[number] | null = null;
    let request: number[] = [];
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      if (document !== null) document.isOver = true;
    });
    socket.on("timeout", () => socket.destroy());
    let handling: Promise<void> | null = null;
    socket.on("data", (data) => {
      handling = handle(data);
    });
    // Closes its side only after reading everything; the hub relies on that.
    socket.on("end", () => void Promise.resolve(handling).then(() => socket.end()));

    async function handle(data: Buffer): Promise<void> {
      socket.pause();
      if (faults.isStuck) await mended.promise;
      for (let at = 0; at < data.length && !socket.destroyed; at += SLOW_BYTES) {
        if (faults.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, faults.slowMs));
        for (const byte of data.subarray(at, at + SLOW_BYTES)) if (!socket.destroyed) handleByte(byte);
      }
      socket.resume();
      if (faults.closesAfterMs !== null && document !== null) socket.setTimeout(faults.closesAfterMs);
    }

    /** Handles a byte. A status request may occur anywhere and is answered at once. */
    function handleByte(byte: number): void {
      request.push(byte);
      const [first, second, third] = request;
      if (first === 0x10 && (second === undefined || (second === 0x04 && third === undefined))) return;
      const isStatus = first === 0x10 && second === 0x04;
      const bytes = request;
      request = [];
      if (!isStatus) for (const each of bytes) print(each);
      else if (!faults.isSilent && !socket.writableEnded) socket.write(Uint8Array.of(statusByte(third ?? 0)));
    }

    function print(byte: number): void {
      if (document === null) documents.push((document = { printed: [], unprinted: [], isCut: false, isOver: false }));
      if (faults.after !== null && (faults.after.bytes -= 1) < 0) {
        const { fault } = faults.after;
        faults.after = null;
        if (fault === "paper_out") faults.paper = "out";
        else if (fault === "cover_open") faults.isCoverOpen = true;
        else if (fault === "end") socket.end();
        else {
          document.isCut = true;
          if (fault === "close") socket.destroy();
          else if (fault === "end_and_reset") socket.end(() => setTimeout(() => socket.resetAndDestroy(), 100));
          else socket.resetAndDestroy();
          if (fault === "die") void printer.refuse();
          return;
        }
      }
      if (canPrint() && document.unprinted.length === 0) document.printed.push(byte);
      else document.unprinted.push(byte);
    }
  }

  function statusByte(kind: number): number {
    const isOut = faults.paper === "out";
    if (kind === 1) return 0x12 | (canPrint() ? 0 : 0x08);
    if (kind === 2) return 0x12 | (faults.isCoverOpen ? 0x04 : 0) | (isOut ? 0x20 : 0);
    if (kind === 4) return 0x12 | (isOut ? 0x6c : faults.paper === "low" ? 0x0c : 0);
    return 0x12;
  }

  const printer = {
    faults,
    get port(): number {
      return listeningPort;
    },
    get address(): string {
      return `tcp://${host}:${listeningPort}`;
    },
    /** Number of connections so far. */
    connections: (): number => connections,
    /** Received documents, oldest first. */
    documents: (): PrintedDocument[] =>
      documents.map(({ printed, unprinted, isCut, isOver }) => {
        return { bytes: Uint8Array.from(printed), isCut, unprinted: unprinted.length, isOver };
      }),
    papers: (): Paper[] => documents.map(({ printed }) => decode(Uint8Array.from(printed))),
    /** Clears all faults and prints the bytes held back. */
    mend(): void {
      Object.assign(faults, noFaults);
      mended.resolve();
      mended = Promise.withResolvers();
      for (const document of documents) document.printed.push(...document.unprinted.splice(0));
    },
    /** Switches the printer off. Bytes held back are lost. */
    async refuse(): Promise<void> {
      const closing = server;
      server = null;
      for (const document of documents) {
        if (document.unprinted.splice(0).length > 0) document.isCut = true;
      }
      for (const socket of sockets) socket.resetAndDestroy();
      if (closing !== null) await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
    /** Switches the printer on at the same address. */
    async listen(): Promise<void> {
      if (server !== null) return;
      const opening = createServer({ allowHalfOpen: true }, serve);
      server = opening;
      await new Promise<void>((resolve, reject) => {
        opening.once("error", reject);
        opening.listen(listeningPort, host, resolve);
      });
      const address = opening.address();
      if (address !== null && typeof address === "object") listeningPort = address.port;
    },
    stop: (): Promise<void> => printer.refuse(),
  };
  await printer.listen();
  return printer;
}
