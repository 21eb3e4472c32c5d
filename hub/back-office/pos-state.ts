import { hash } from "node:crypto";
import {
  type BackOfficeFloor,
  type BootstrapAnswer,
  type Catalogue,
  DAY_MS,
  type ForeignCurrency,
  type PosConfig,
  type PosSession,
  type Station,
} from "@comanda/protocol";
import type { Tx } from "../changes/change.ts";
import type { ChangeLog } from "../changes/change-log.ts";
import type { Memory, Remembered } from "../db/remembered.ts";
import type { World } from "../platform/world.ts";
import type { BackOfficeClient } from "./client.ts";
import type { OwnSession } from "./own-session.ts";

/** What has not changed is saved this often, for the time at which it was read. */
const SAVE_EVERY_MS = 10 * 60_000;

/** An outbox that is older is not carried out. */
const FORMER_RATES_MS = 14 * DAY_MS;

type FormerRate = ForeignCurrency & { until: number };

export type PosState = ReturnType<typeof createPosState>;

/** What has changed and was not announced yet. */
const nothing = { session: false, plan: false, menu: false, numbers: false };

/** The state of the point of sale as last read from the back-office; it outlives a restart. */
export function createPosState(deps: {
  world: World;
  changes: ChangeLog;
  memory: Memory;
  client: BackOfficeClient;
  own: OwnSession;
  /** The kitchen's stations, which terminals get with the menu. */
  stations(): readonly Station[];
}) {
  const { world, changes, memory, client, own, stations } = deps;
  let session = memory.read<PosSession>("session");
  let floors = memory.read<BackOfficeFloor[]>("floors");
  let minClientVersion = memory.read<string | null>("minClientVersion");
  let config = memory.read<PosConfig>("config");
  /** What foreign cash was worth before, and until when. */
  let formerRates = memory.read<FormerRate[]>("formerRates")?.value ?? [];
  let menuVersion = config === null ? null : menuVersionOf(config.value, stations());
  let readAt: number | null = null;
  let savedAt = -Infinity;
  let isStale = floors !== null;
  let reading: Promise<void> | null = null;
  let nextReading: Promise<void> | null = null;
  /** Of the plan that it was made from. */
  let tables: { of: BackOfficeFloor[]; ids: ReadonlySet<number> } | null = null;
  let isUnsaved = false;
  let unannounced = nothing;

  /** What was read counts even when it cannot be stored: a full disk must not hide the floor plan. The next read tries again. */
  async function save(now: number): Promise<void> {
    try {
      await changes.write((tx) => {
        memory.write("session", session?.value, now);
        memory.write("floors", floors?.value, now);
        memory.write("minClientVersion", minClientVersion?.value, now);
        memory.write("config", config?.value, now);
        memory.write("formerRates", formerRates, now);
        if (unannounced.session && session !== null) tx.emit({ kind: "session.changed", session: session.value });
        if (unannounced.plan) tx.notify(["floor_plan", "catalogue"]);
        if (unannounced.numbers) tx.notify(["fiscal"]);
        if (unannounced.menu) tx.emit({ kind: "menu.changed", menuVersion: menuVersion ?? "" });
      });
      isUnsaved = false;
      savedAt = world.clock.monotonic();
      unannounced = nothing;
    } catch (error) {
      world.log.error({ err: error }, "the state of the point of sale could not be stored");
    }
  }

  async function read(): Promise<void> {
    try {
      const answer = await own.use((token) => client.bootstrap(token));
      const now = world.clock.now();
      const nextSession = presentSession(answer.session);
      const nextConfig = withSequences(answer);
      const nextMenuVersion = menuVersionOf(nextConfig, stations());
      const isNewSession = JSON.stringify(nextSession) !== JSON.stringify(session?.value);
      const isNewPlan = JSON.stringify(answer.config.floors) !== JSON.stringify(floors?.value);
      const isNewMinimum = answer.minClientVersion !== minClientVersion?.value;
      const isNewConfig = JSON.stringify(nextConfig) !== JSON.stringify(config?.value);
      const areNewNumbers = JSON.stringify(nextConfig.ncfSequences) !== JSON.stringify(config?.value.ncfSequences);
      const isNewMenu = nextMenuVersion !== menuVersion;
      formerRates = withFormerRates(formerRates, config?.value.currencies, nextConfig.currencies, now);
      config = { value: nextConfig, at: now };
      menuVersion = nextMenuVersion;
      session = { value: nextSession, at: now };
      floors = { value: answer.config.floors, at: now };
      minClientVersion = { value: answer.minClientVersion, at: now };
      readAt = world.clock.monotonic();
      isStale = false;
      unannounced = {
        session: unannounced.session || isNewSession,
        plan: unannounced.plan || isNewPlan,
        menu: unannounced.menu || isNewMenu,
        numbers: unannounced.numbers || areNewNumbers,
      };
      const isNew = isNewSession || isNewPlan || isNewMinimum || isNewConfig;
      // Terminals see as of when this was read, after a restart, too.
      const isDue = readAt - savedAt >= SAVE_EVERY_MS;
      if (!isUnsaved && !isNew && !isDue) return;
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
    catalogue: (): Catalogue | null => (config === null ? null : presentCatalogue(config.value)),
    /** The point of sale's configuration as last read and when; null when it was never read. */
    config: (): Remembered<PosConfig> | null => config,
    /** A currency at a rate that was the house's at a time, ms since 1970; null where it was none, or nobody said when. */
    formerRate(currency: string, rate: number, at: number | null): ForeignCurrency | null {
      if (at === null) return null;
      return (
        formerRates.find((former) => former.code === currency && former.rate === rate && at < former.until) ?? null
      );
    },
    /** Changes whenever the configuration does; null before it was read. */
    menuVersion: (): string | null => menuVersion,
    /** To be called when the stations have changed: with them the menu has. */
    noteStations(tx: Tx): void {
      if (config === null) return;
      menuVersion = menuVersionOf(config.value, stations());
      tx.emit({ kind: "menu.changed", menuVersion });
    },
    minClientVersion: (): string | null => minClientVersion?.value ?? null,
    /** The floors as last read, and whether the last attempt to read them failed. */
    floors: (): (Remembered<BackOfficeFloor[]> & { isStale: boolean }) | null =>
      floors === null ? null : { ...floors, isStale },
    /** The tables of the floors; null where there are none, and while the last attempt to read them failed. */
    tableIds(): ReadonlySet<number> | null {
      if (floors === null || isStale) return null;
      const { value } = floors;
      if (tables?.of !== value)
        tables = { of: value, ids: new Set(value.flatMap((floor) => floor.tables.map(({ id }) => id))) };
      return tables.ids.size === 0 ? null : tables.ids;
    },
  };
}

/** The configuration with the fiscal sequences, wherever the back-office tells them. */
function withSequences({ config, ncfSequences }: BootstrapAnswer): PosConfig {
  const sequences = config.ncfSequences ?? ncfSequences;
  return { ...config, ...(sequences !== undefined && { ncfSequences: sequences }) };
}

/** The rates that are the house's no more, each until when it was; those that no terminal can still send are forgotten. */
function withFormerRates(
  former: readonly FormerRate[],
  before: readonly ForeignCurrency[] = [],
  next: readonly ForeignCurrency[] = [],
  now: number,
): FormerRate[] {
  const changed = before.filter(({ code, rate }) => !next.some((each) => each.code === code && each.rate === rate));
  const kept = former.filter(({ until }) => now - until < FORMER_RATES_MS);
  return [...kept, ...changed.map((currency) => ({ ...currency, until: now }))];
}

/** Numbers are used all day, and tables change their state: neither is a change of the menu. Another type of number is. */
function menuVersionOf({ floors: _floors, ncfSequences, ...menu }: PosConfig, stations: readonly Station[]): string {
  const ncfTypes = ncfSequences?.map(({ type }) => type);
  return hash("sha256", JSON.stringify([menu, stations, ncfTypes]), "base64url").slice(0, 16);
}

function presentCatalogue(config: PosConfig): Catalogue {
  const names = (list: readonly { id: number; name: string }[]) =>
    Object.fromEntries(list.map((each) => [each.id, each.name]));
  return {
    currency: config.currency,
    products: names(config.products),
    categories: names(config.categories),
    paymentMethods: names(config.paymentMethods),
    tables: names(config.floors.flatMap((floor) => floor.tables)),
    taxes: config.taxes,
    rounding: config.rounding,
  };
}

function presentSession(session: { id: number; name: string; state: string } | null): PosSession {
  if (session === null || session.state === "closed") return { active: false };
  return { active: true, id: session.id, name: session.name };
}
