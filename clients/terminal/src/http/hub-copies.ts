import type { Floors, Learned, Menu } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import type { Reader, Schemas, TerminalAnswer } from "../schemas.ts";
import type { HubHttp } from "./hub-http.ts";

export type PinUser = TerminalAnswer<"people">["people"][number];
export type GivenActor = TerminalAnswer<"enterPin">;

export type HubCopies = ReturnType<typeof createHubCopies>;

interface Saved<T> {
  value: T;
  etag?: string;
}

/** What a terminal reads over HTTP and keeps, for a start while the hub or the back-office is away. */
export function createHubCopies(deps: {
  http: HubHttp;
  schemas: Schemas;
  cache: ReadonlyMap<string, unknown>;
  save(key: string, value: unknown): void;
  deviceKey(): string | undefined;
}) {
  const { http, schemas, cache, save, deviceKey } = deps;
  let menu = restored("menu", schemas.menu);
  let learned = restored("learned", schemas.learned);
  let floors = restored("floors", schemas.floors);
  let people = restored("people", schemas.people);

  return {
    /** The menu as last read, with its `asOf`; null before the first time. */
    menu: (): Menu | null => menu?.value ?? null,
    /** Asks the hub; resolves with the last copy when it cannot be reached. Rejects without one, and when the hub refuses. */
    async loadMenu(): Promise<Menu> {
      menu = await newest("menu", menu, http.menu);
      return menu.value;
    },
    /** What the house has learned from its history, as last read; null before the first time. */
    learned: (): Learned | null => learned?.value ?? null,
    async loadLearned(): Promise<Learned> {
      learned = await newest("learned", learned, http.learned);
      return learned.value;
    },
    floors: (): Floors | null => floors?.value ?? null,
    async loadFloors(): Promise<Floors> {
      try {
        floors = { value: await http.floors() };
        save("floors", floors);
        return floors.value;
      } catch (error) {
        return unlessRefused(error, floors).value;
      }
    },
    /** Who may use a PIN on this device. */
    people: (): readonly PinUser[] => people?.value.people ?? [],
    async loadPeople(): Promise<readonly PinUser[]> {
      try {
        people = { value: await http.people(requireKey()) };
        save("people", people);
        return people.value.people;
      } catch (error) {
        return unlessRefused(error, people).value.people;
      }
    },
    /** Whether this device may be renamed so; it is by opening its terminal with that name and `isRenamed`. */
    isNameFree: async (name: string): Promise<boolean> => http.isNameFree(requireKey(), name),
    /** The token of the person with this PIN here: to act (`signInWithPin` does both), or for one approval (`approvedBy`). */
    enterPin: async (userId: number | string, pin: string, purpose?: "approval"): Promise<GivenActor> =>
      http.enterPin({ deviceKey: requireKey(), userId, pin, ...(purpose !== undefined && { for: purpose }) }),
  };

  /** The copy that the hub has now, or the known one: it has not changed, or the hub cannot be asked. */
  async function newest<T>(
    key: string,
    known: Saved<T> | null,
    read: (etag: string | undefined) => Promise<{ value: T; etag: string | null } | null>,
  ): Promise<Saved<T>> {
    try {
      const answer = await read(known?.etag);
      if (answer === null && known !== null) return known;
      if (answer === null) throw new Error("the hub answered 304 to no ETag");
      const saved: Saved<T> = { value: answer.value, ...(answer.etag !== null && { etag: answer.etag }) };
      save(key, saved);
      return saved;
    } catch (error) {
      return unlessRefused(error, known);
    }
  }

  function restored<T>(key: string, schema: Reader<T>): Saved<T> | null {
    const { value, etag } = (cache.get(key) ?? {}) as Partial<Saved<unknown>>;
    if (value === undefined) return null;
    const { data } = schema.safeParse(value);
    return data === undefined ? null : { value: data, ...(etag !== undefined && { etag }) };
  }

  function requireKey(): string {
    const key = deviceKey();
    if (key === undefined) throw new TerminalRefusal("UNAUTHENTICATED", "this device has not been on the hub yet");
    return key;
  }
}

/** A copy serves while the hub is away or works without the back-office; any other refusal is for the user. */
function unlessRefused<T>(error: unknown, known: Saved<T> | null): Saved<T> {
  const isRefused = error instanceof TerminalRefusal && error.code !== "UPSTREAM_UNAVAILABLE";
  if (known === null || isRefused) throw error;
  return known;
}
