import { openReadOnly } from "../../db/open-read-only.ts";
import type { Db } from "../../db/open.ts";
import type { World } from "../../platform/world.ts";
import {
  type ContentReader,
  createContentReader,
  emptyContent,
  type SyncContent,
  type SyncScope,
} from "./sync-content.ts";

/** How long content is reused, in ms, for terminals that reconnect together. */
const TTL_MS = 1000;

/** The content of a SYNC; `content` is null until all is read. */
interface ContentPart {
  isLarge: boolean;
  content: SyncContent | null;
  steps: Generator<number, SyncContent | undefined>;
}

/** Reads the content of SYNCs, once for all terminals that request the same. */
export function createSyncReading(world: World, db: Db, deps: Parameters<typeof createContentReader>[1]) {
  const reader = createContentReader(db, deps);
  let last: { key: string; content: SyncContent; at: number } | null = null;

  /** Opens a connection at the moment of a cut; it sees that state until it is closed. */
  function openSnapshot(): { reader: ContentReader; close(): void } {
    const snapshot = openReadOnly(db.name);
    try {
      snapshot.exec("BEGIN");
      snapshot.prepare("SELECT seq FROM hub_state").get();
      return { reader: createContentReader(snapshot, deps), close: () => void snapshot.close() };
    } catch (error) {
      snapshot.close();
      throw error;
    }
  }

  return {
    isLarge: reader.isLarge,
    /** Begins reading the current state, whose newest change is `seq`. */
    begin(seq: number) {
      const contents = new Map<string, ContentPart>();
      const keyOf = (scope: SyncScope): string => `${scope.mode} ${scope.mode === "delta" ? scope.since : ""} ${seq}`;
      let snapshot: ReturnType<typeof openSnapshot> | null = null;

      /** Reads a slice and returns whether all is read. Once a read has failed, every further call throws. */
      function step(key: string, part: ContentPart): boolean {
        if (part.content !== null) return true;
        const { done, value } = part.steps.next();
        if (done !== true) return false;
        if (value === undefined) throw new Error("the shared state could not be read");
        part.content = value;
        last = { key, content: value, at: world.clock.monotonic() };
        return true;
      }

      function partOf(scope: SyncScope, key: string): ContentPart {
        const cached = contents.get(key);
        if (cached !== undefined) return cached;
        const isLarge = reader.isLarge(scope);
        const isFresh = last?.key === key && world.clock.monotonic() - last.at < TTL_MS;
        if (isLarge && !isFresh) snapshot ??= openSnapshot();
        const part: ContentPart = {
          isLarge,
          content: isFresh ? (last?.content ?? null) : null,
          steps: (isLarge && snapshot !== null ? snapshot.reader : reader).read(scope),
        };
        contents.set(key, part);
        if (!isLarge) while (!step(key, part)) continue;
        return part;
      }

      return {
        /** Returns the content of a scope. It is read once, since reconnecting terminals request the same. */
        contentOf(scope: SyncScope) {
          const key = keyOf(scope);
          const part = partOf(scope, key);
          return {
            /** Whether it must be read and sent in slices; small content is already read. */
            isLarge: part.isLarge,
            /** Reads a slice and returns whether all is read. */
            read: (): boolean => step(key, part),
            /** Returns the content. Called when all is read. */
            content: (): SyncContent => part.content ?? emptyContent(),
          };
        },
        close: (): void => snapshot?.close(),
      };
    },
  };
}
