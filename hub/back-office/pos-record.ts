import { hash } from "node:crypto";
import type {
  BackOfficeFloor,
  BootstrapAnswer,
  Catalogue,
  ForeignCurrency,
  PosConfig,
  PosSession,
  Station,
} from "@comanda/protocol";
import { DAY_MS } from "@comanda/protocol";
import { cashMethodsOf } from "@comanda/rules";
import type { Tx } from "../changes/change.ts";
import type { Memory, Remembered } from "../db/remembered.ts";

/** How long former rates are kept. Terminals' mutations older than this are not applied. */
const FORMER_RATES_MS = 14 * DAY_MS;

type FormerRate = ForeignCurrency & { until: number };

/** The parts of the state that a new answer of the back-office can change. */
export type PosPart = "session" | "plan" | "minimum" | "config" | "menu" | "numbers";

/** Keeps the latest state of the point of sale from the back-office in memory; `write` saves it to the data file. */
export function createPosRecord(memory: Memory, stations: () => readonly Station[]) {
  let session = memory.read<PosSession>("session");
  let floors = memory.read<BackOfficeFloor[]>("floors");
  let minClientVersion = memory.read<string | null>("minClientVersion");
  let config = memory.read<PosConfig>("config");
  const readAt = memory.read("posReadAt")?.at;
  if (readAt !== undefined) {
    floors = floors && { ...floors, at: readAt };
    config = config && { ...config, at: readAt };
  }
  /** Earlier exchange rates, each with the time until which it was valid. */
  let formerRates = memory.read<FormerRate[]>("formerRates")?.value ?? [];
  /** Ids of cash methods that are no longer in the menu. */
  let formerCash = memory.read<string[]>("formerCash")?.value ?? [];
  let menuVersion = config === null ? null : menuVersionOf(config.value, stations());

  return {
    /** Takes over an answer and returns which parts of it have changed. */
    take(answer: BootstrapAnswer, now: number): PosPart[] {
      const nextSession = presentSession(answer.session);
      const nextConfig = withSequences(answer);
      const nextMenuVersion = menuVersionOf(nextConfig, stations());
      const compared: [PosPart, unknown, unknown][] = [
        ["session", nextSession, session?.value],
        ["plan", answer.config.floors, floors?.value],
        ["minimum", answer.minClientVersion, minClientVersion?.value],
        ["config", nextConfig, config?.value],
        ["numbers", nextConfig.ncfSequences, config?.value.ncfSequences],
        ["menu", nextMenuVersion, menuVersion],
      ];
      const changed = compared.filter(([, next, before]) => JSON.stringify(next) !== JSON.stringify(before));
      formerRates = withFormerRates(formerRates, config?.value.currencies, nextConfig.currencies, now);
      formerCash = withFormerCash(formerCash, config?.value, nextConfig);
      config = { value: nextConfig, at: now };
      menuVersion = nextMenuVersion;
      session = { value: nextSession, at: now };
      floors = { value: answer.config.floors, at: now };
      minClientVersion = { value: answer.minClientVersion, at: now };
      return changed.map(([part]) => part);
    },
    /** Saves only the time of the last read. */
    writeTime(at: number): void {
      memory.write("posReadAt", null, at);
    },
    write(now: number): void {
      memory.write("posReadAt", null, now);
      memory.write("session", session?.value, now);
      memory.write("floors", floors?.value, now);
      memory.write("minClientVersion", minClientVersion?.value, now);
      memory.write("config", config?.value, now);
      memory.write("formerRates", formerRates, now);
      memory.write("formerCash", formerCash, now);
    },
    floors: (): Remembered<BackOfficeFloor[]> | null => floors,
    session: (): PosSession | null => session?.value ?? null,
    /** The names of products, payment methods and tables; null if never read. */
    catalogue: (): Catalogue | null => (config === null ? null : presentCatalogue(config.value)),
    /** The configuration that was last read, and when; null if never read. */
    config: (): Remembered<PosConfig> | null => config,
    /** Returns a currency with a rate that was valid at `at` (ms since 1970); null if it was not, or `at` is unknown. */
    formerRate(currency: string, rate: number, at: number | null): ForeignCurrency | null {
      if (at === null) return null;
      return (
        formerRates.find((former) => former.code === currency && former.rate === rate && at < former.until) ?? null
      );
    },
    formerCash: (): readonly string[] => formerCash,
    /** Changes when the menu or the stations change; null before the first read. */
    menuVersion: (): string | null => menuVersion,
    /** Updates the menu version. Call this when the stations have changed. */
    noteStations(tx: Tx): void {
      if (config === null) return;
      menuVersion = menuVersionOf(config.value, stations());
      tx.emit({ kind: "menu.changed", menuVersion });
    },
    minClientVersion: (): string | null => minClientVersion?.value ?? null,
  };
}

/** Returns the configuration with the fiscal sequences, which the answer contains inside or beside it. */
function withSequences({ config, ncfSequences }: BootstrapAnswer): PosConfig {
  const sequences = config.ncfSequences ?? ncfSequences;
  return { ...config, ...(sequences !== undefined && { ncfSequences: sequences }) };
}

/** Adds rates that are no longer valid, with the current time, and drops those that no terminal can still send. */
function withFormerRates(
  former: readonly FormerRate[],
  before: readonly ForeignCurrency[] = [],
  next: readonly ForeignCurrency[] = [],
  now: number,
): FormerRate[] {
  const changed = before.filter(({ code, rate }) => !next.some((each) => each.code === code && each.rate === rate));
  const recent = former.filter(({ until }) => now - until < FORMER_RATES_MS);
  return [...recent, ...changed.map((currency) => ({ ...currency, until: now }))];
}

function withFormerCash(former: readonly string[], before: PosConfig | undefined, next: PosConfig): string[] {
  const present = new Set(next.paymentMethods.map(({ id }) => String(id)));
  const known = new Set([...former, ...cashMethodsOf(before?.paymentMethods ?? null)]);
  return [...known].filter((id) => !present.has(id));
}

/** Hashes the menu. Excludes used fiscal numbers and table states, which change all day, but includes the number types. */
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
