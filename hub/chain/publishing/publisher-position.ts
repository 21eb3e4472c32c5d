import { DAY_MS } from "@comanda/protocol";
import type { ChainCursor } from "@comanda/protocol/chain.ts";
import type { World } from "../../platform/world.ts";
import type { ChainLine } from "../connection/chain-line.ts";
import type { ChainIdentity, ChainSource } from "../source/chain-source.ts";
import type { Confirmations } from "./confirmations.ts";
import type { Position } from "./next-batch.ts";
import { startPlace } from "./place.ts";

export type PublisherPosition = ReturnType<typeof createPublisherPosition>;

/** Finds and tracks the publisher's position. Nothing is stored. */
export function createPublisherPosition(deps: {
  world: World;
  source: ChainSource;
  line: ChainLine;
  historyDays: number;
  confirmations: Confirmations;
  /** Rejects pending work when the hub stops. */
  orStop<T>(work: Promise<T>): Promise<T>;
  /** Called when it returns to headquarters' cursor or starts a full transfer. */
  onBack(): void;
  /** Called with the business days that differ at headquarters. */
  onDiffering(days: readonly string[]): void;
  onSuperseded(): void;
}) {
  const { world, source, line, confirmations, orStop } = deps;
  let position: Position | null = null;
  let identity: ChainIdentity | null = null;
  let isSuperseded = false;

  const askCursor = ({ hubId, generation, epoch }: ChainIdentity): Promise<ChainCursor | null> =>
    orStop(line.askCursor({ hubId, generation, epoch }));

  async function readIdentity(): Promise<ChainIdentity> {
    identity = await source.atRest(() => source.identity());
    return identity;
  }

  async function find(): Promise<void> {
    const hub = await readIdentity();
    const cursor = await askCursor(hub);
    const sent = await orStop(line.lastSent());
    const start = startPlace(hub, source.lastFactId(), cursor, sent);
    if (start === null) throw new Error("headquarters do not answer");
    await begin(start, hub);
    if (cursor !== null) noteCursor(cursor);
    if (sent !== null && position?.kind === "live") confirmations.sent(sent, null);
  }

  /** Asks headquarters for their cursor when a confirmation is overdue, and sends again from there. */
  async function recheck(): Promise<void> {
    const cursor = await askCursor(await readIdentity());
    const sent = cursor === null ? null : await orStop(line.lastSent());
    confirmations.checked(cursor, sent);
    if (cursor === null || !confirmations.isOverdue()) return;
    confirmations.wentBack();
    await goTo(cursor);
  }

  async function goTo(cursor: ChainCursor): Promise<void> {
    const hub = await readIdentity();
    const start = startPlace(hub, source.lastFactId(), cursor, null);
    deps.onBack();
    if (start !== null) await begin(start, hub);
  }

  async function begin(
    start: NonNullable<ReturnType<typeof startPlace>>,
    { epoch, seq }: ChainIdentity,
  ): Promise<void> {
    if (start.go === "superseded") {
      supersede();
    } else if (start.go === "on") {
      position = { kind: "live", epoch, seq: start.seq, factId: start.factId };
    } else {
      deps.onBack();
      const since = world.clock.now() - deps.historyDays * DAY_MS;
      const { heads, cut } = await source.atRest(() => ({
        heads: source.listAll(since),
        cut: Math.max(seq, source.identity().seq),
      }));
      position = { kind: "full", epoch, cut, since, heads, of: heads.length, next: cut, factId: start.factId };
      world.log.info({ objects: heads.length }, "headquarters get everything");
    }
  }

  function noteCursor(cursor: ChainCursor): void {
    if (identity === null) return;
    const { generation, epoch, formerEpochs, seq } = identity;
    const isOwnEpoch = cursor.epoch === epoch || formerEpochs.some((former) => former.epoch === cursor.epoch);
    if (cursor.generation !== generation || !isOwnEpoch || cursor.seq > seq) return;
    confirmations.confirmed(cursor, epoch);
    deps.onDiffering(cursor.differing ?? []);
    if (position?.kind !== "live" || !cursor.isFullDone || cursor.epoch !== position.epoch) return;
    // The batch has arrived, even if the stream's acknowledgement has not.
    if (cursor.seq <= position.seq && cursor.factId <= position.factId) return;
    position = {
      ...position,
      seq: Math.max(position.seq, cursor.seq),
      factId: Math.max(position.factId, cursor.factId),
    };
  }

  function supersede(): void {
    position = null;
    if (isSuperseded) return;
    isSuperseded = true;
    world.log.warn("another history of this hub has taken over at headquarters: nothing is sent to them");
    deps.onSuperseded();
  }

  return {
    /** Null before it is found, and after a reset. */
    position: (): Position | null => position,
    isSuperseded: (): boolean => isSuperseded,
    /** The hub's generation when it was last read. */
    generation: (): number | null => identity?.generation ?? null,
    find,
    recheck,
    goTo,
    noteCursor,
    supersede,
    moveTo: (after: Position): void => void (position = after),
    /** Takes the hub's identity. A new epoch resets the position. */
    read(now: ChainIdentity): void {
      identity = now;
      if (position?.epoch !== now.epoch) position = null;
    },
    /** Called when the connection is new. */
    forget(): void {
      position = null;
      isSuperseded = false;
    },
  };
}
