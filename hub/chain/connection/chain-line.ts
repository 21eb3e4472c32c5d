import type { ChainCursor, ChainSuperseded, ChainWho, SentPlace } from "@comanda/protocol/chain.ts";

/** What a publisher needs of the connection to headquarters. */
export interface ChainLine {
  isUp(): boolean;
  /** Headquarters' cursor; null where nobody answers for them. */
  askCursor(who: ChainWho): Promise<ChainCursor | null>;
  /** Where the last batch of this restaurant in the stream leaves headquarters; null where there is none. */
  lastSent(): Promise<SentPlace | null>;
  /** Resolves when the stream has stored it. */
  publish(payload: Uint8Array, place: string): Promise<void>;
}

/** What headquarters say on their own. */
export interface ChainListener {
  /** The line is up, for the first time or again. */
  onUp(): void;
  onCursor(cursor: ChainCursor): void;
  onResend(cursor: ChainCursor): void;
  onSuperseded(superseded: ChainSuperseded): void;
}
