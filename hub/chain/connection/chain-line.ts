import type { ChainCursor, ChainSuperseded, ChainSender, SentPlace } from "@comanda/protocol/chain.ts";

/** What a publisher needs from the connection to headquarters. */
export interface ChainLine {
  isUp(): boolean;
  /** Returns headquarters' cursor, or null if they do not answer. */
  askCursor(hub: ChainSender): Promise<ChainCursor | null>;
  /** Returns the place after this restaurant's last batch in the stream, or null if the stream holds none. */
  lastSent(): Promise<SentPlace | null>;
  /** Resolves once the stream has stored the batch. */
  publish(payload: Uint8Array, place: string): Promise<void>;
}

/** Handles messages that headquarters send unasked. */
export interface ChainListener {
  /** Called on each connect and reconnect. */
  onUp(): void;
  onCursor(cursor: ChainCursor): void;
  onResend(cursor: ChainCursor): void;
  onSuperseded(superseded: ChainSuperseded): void;
}
