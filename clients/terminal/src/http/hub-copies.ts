import type { Floors, Learned, Menu } from "@comanda/protocol";
import { TerminalRefusal } from "../refusal.ts";
import type { Reader, Schemas, TerminalAnswer } from "../schemas.ts";
import type { HubHttp } from "./hub-http.ts";

export type PinUser = TerminalAnswer<"people">["people"][number];
export type ActorGrant = TerminalAnswer<"enterPin">;

export type HubCopies = ReturnType<typeof createHubCopies>;

interface Saved<T> {
  value: T;
  etag?: string;
}

/** Copies of data that a terminal reads over HTTP, kept for a start without the hub or the back-office. */
export function createHubCopies(deps: {
  http: HubHttp;
  schemas: Schemas;
  cache: ReadonlyMap<string, unknown>;
  save(key: string, value: unknown): void;
  deviceKey(): string | undefined;
}) {
  const { http, schemas, cache, save, deviceKey } = deps;
  const menu = copyOf<Menu>("menu", schemas.menu, http.menu);
  const learned = copyOf<Learned>("learned", schemas.learned, http.learned);
  const floors = copyOf<Floors>("floors", schemas.floors, async () => whole(await http.floors()));
  const people = copyOf("people", schemas.people, async () => whole(await http.people(requireKey())));

  return {
    /** The menu as last read, with its `asOf`, or null before the first read. */
    menu: menu.value,
    /** Reads the menu from the hub; resolves with the last copy if unreachable. Rejects if refused or without a copy. */
    loadMenu: menu.load,
    /** Statistics from the restaurant's history as last read, or null before the first read. */
    learned: learned.value,
    loadLearned: learned.load,
    floors: floors.value,
    loadFloors: floors.load,
    /** People who may use a PIN on this device. */
    people: (): readonly PinUser[] => people.value()?.people ?? [],
    loadPeople: async (): Promise<readonly PinUser[]> => (await people.load()).people,
    /** Whether this device may take the name. To rename, open its terminal with that name and `isRenamed`. */
    isNameFree: async (name: string): Promise<boolean> => http.isNameFree(requireKey(), name),
    /** Returns a token for the person with this PIN, to act (`signInWithPin`) or for one approval (`approvedBy`). */
    enterPin: async (userId: number | string, pin: string, purpose?: "approval"): Promise<ActorGrant> =>
      http.enterPin({ deviceKey: requireKey(), userId, pin, ...(purpose !== undefined && { for: purpose }) }),
  };

  function copyOf<T>(
    key: string,
    schema: Reader<T>,
    /** Resolves with null if the copy with that `etag` is current. */
    read: (etag?: string) => Promise<{ value: T; etag: string | null } | null>,
  ) {
    let saved = restored(key, schema);
    return {
      value: (): T | null => saved?.value ?? null,
      async load(): Promise<T> {
        try {
          const answer = await read(saved?.etag);
          if (answer !== null) {
            saved = { value: answer.value, ...(answer.etag !== null && { etag: answer.etag }) };
            save(key, saved);
          }
        } catch (error) {
          // Use the copy if the hub is unreachable or has no back-office; any other refusal is for the user.
          const isRefused = error instanceof TerminalRefusal && error.code !== "UPSTREAM_UNAVAILABLE";
          if (saved === null || isRefused) throw error;
        }
        if (saved === null) throw new Error("the hub answered 304 to no ETag");
        return saved.value;
      },
    };
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

/** Wraps an answer without an ETag. */
function whole<T>(value: T): { value: T; etag: null } {
  return { value, etag: null };
}
