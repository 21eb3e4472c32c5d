import type { BackOfficeFloor, Catalogue, PosConfig, PosSession } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Memory, Remembered } from "../db/remembered.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeClient } from "./client.ts";
import type { OwnSession } from "./own-session.ts";

export type PosState = ReturnType<typeof createPosState>;

/** The state of the point of sale as last read from the back-office; it outlives a restart. */
export function createPosState(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  client: BackOfficeClient;
  own: OwnSession;
}) {
  const { world, changes, memory, client, own } = deps;
  let session = memory.read<PosSession>("session");
  let floors = memory.read<BackOfficeFloor[]>("floors");
  let minClientVersion = memory.read<string | null>("minClientVersion");
  let catalogue = memory.read<Catalogue>("catalogue");
  let readAt: number | null = null;
  let isStale = floors !== null;
  let reading: Promise<void> | null = null;
  let nextReading: Promise<void> | null = null;
  let isUnsaved = false;
  let unannounced = { session: false, plan: false };

  /** What was read counts even when it cannot be stored: a full disk must not hide the floor plan. The next read tries again. */
  async function save(now: number): Promise<void> {
    try {
      await changes.write((tx) => {
        memory.write("session", session?.value, now);
        memory.write("floors", floors?.value, now);
        memory.write("minClientVersion", minClientVersion?.value, now);
        memory.write("catalogue", catalogue?.value, now);
        if (unannounced.session && session !== null) tx.emit({ kind: "session.changed", session: session.value });
        if (unannounced.plan) tx.notify(["floor_plan"]);
      });
      isUnsaved = false;
      unannounced = { session: false, plan: false };
    } catch (error) {
      world.log.error({ err: error }, "the state of the point of sale could not be stored");
    }
  }

  async function read(): Promise<void> {
    try {
      const answer = await own.use((token) => client.bootstrap(token));
      const now = world.clock.now();
      const nextSession = presentSession(answer.session);
      const nextCatalogue = presentCatalogue(answer.config);
      const isNewSession = JSON.stringify(nextSession) !== JSON.stringify(session?.value);
      const isNewPlan = JSON.stringify(answer.config.floors) !== JSON.stringify(floors?.value);
      const isNewMinimum = answer.minClientVersion !== minClientVersion?.value;
      const isNewCatalogue = JSON.stringify(nextCatalogue) !== JSON.stringify(catalogue?.value);
      catalogue = { value: nextCatalogue, at: now };
      session = { value: nextSession, at: now };
      floors = { value: answer.config.floors, at: now };
      minClientVersion = { value: answer.minClientVersion, at: now };
      readAt = world.clock.monotonic();
      isStale = false;
      unannounced = { session: unannounced.session || isNewSession, plan: unannounced.plan || isNewPlan };
      if (!isUnsaved && !isNewSession && !isNewPlan && !isNewMinimum && !isNewCatalogue) return;
      isUnsaved = true;
      await save(now);
    } catch (error) {
      isStale = floors !== null;
      throw error;
    }
  }

  function refresh(): Promise<void> {
    reading ??= read().finally(() => {
      reading = null;
    });
    return reading;
  }

  return {
    /** Reads from the back-office; any number of callers share one read. Throws a BackOfficeError. */
    refresh,
    /** As `refresh`, but with a read that begins after the call: at most one under way and one to come. */
    refreshFromNow(): Promise<void> {
      if (reading === null) return refresh();
      nextReading ??= reading
        .catch(() => undefined)
        .then(() => {
          nextReading = null;
          return refresh();
        });
      return nextReading;
    },
    /** Milliseconds since the last successful read of this run; Infinity when there was none. */
    ageMs: (): number => (readAt === null ? Infinity : world.clock.monotonic() - readAt),
    session: (): PosSession | null => session?.value ?? null,
    /** What products, payment methods and tables are called; null when it was never read. */
    catalogue: (): Catalogue | null => catalogue?.value ?? null,
    minClientVersion: (): string | null => minClientVersion?.value ?? null,
    /** The floors as last read, and whether the last attempt to read them failed. */
    floors: (): (Remembered<BackOfficeFloor[]> & { isStale: boolean }) | null =>
      floors === null ? null : { ...floors, isStale },
  };
}

function presentCatalogue(config: PosConfig): Catalogue {
  const names = (list: readonly { id: number; name: string }[]) =>
    Object.fromEntries(list.map((each) => [each.id, each.name]));
  return {
    currency: config.currency,
    products: names(config.products),
    paymentMethods: names(config.paymentMethods),
    tables: names(config.floors.flatMap((floor) => floor.tables)),
  };
}

function presentSession(session: { id: number; name: string; state: string } | null): PosSession {
  if (session === null || session.state === "closed") return { active: false };
  return { active: true, id: session.id, name: session.name };
}
