import { settings, terminalApi, type ChosenHub, type TerminalHub } from "@comanda/protocol";
import type { FoundHub } from "@comanda/terminal/node";

export interface HubFinderDeps {
  remembered: () => TerminalHub | null;
  remember: (hub: TerminalHub) => void;
  fetch: (address: string, options: RequestInit) => Promise<Response>;
  /** Listens for network announcements for 3 s. Rejects if the system does not allow it. */
  discover: () => Promise<FoundHub[]>;
  log: { info: (facts: object, message: string) => void; warn: (facts: object, message: string) => void };
}

export type HubFinder = ReturnType<typeof createHubFinder>;

/** A hub on the same network answers in milliseconds, unless it is busy. */
const ANSWER_MS = 2_000;

/** Finds hubs and remembers the chosen one by id and address, since a router may assign its PC a new address. */
export function createHubFinder({ remembered, remember, fetch, discover, log }: HubFinderDeps) {
  let locating: Promise<string> | undefined;

  /** Asks which hub answers at an address. */
  const ask = async (url: string): Promise<ChosenHub> => {
    let answer: Response;
    try {
      const signal = AbortSignal.timeout(ANSWER_MS);
      const address = new URL(terminalApi.routes.hub.path, url).href;
      answer = await fetch(address, { redirect: "error", credentials: "omit", cache: "no-store", signal });
    } catch {
      return { ok: false, reason: "unreachable" };
    }
    const content: unknown = await answer.json().catch(() => null);
    const hub = terminalApi.routes.hub.answer.safeParse(content).data;
    if (hub === undefined) return { ok: false, reason: "not_a_hub" };
    return { ok: true, hub: { id: hub.hubId, name: hub.name, url: new URL(url).origin } };
  };

  /** Returns the announced hubs, each with its first address that answers, else its first address. */
  const find = async (): Promise<TerminalHub[]> => {
    const found = await discover().catch((error: unknown) => {
      log.warn({ err: error }, "hubs cannot be looked for on this network");
      return [];
    });
    const hubs = await Promise.all(
      found.map(async ({ id, name, urls }): Promise<TerminalHub[]> => {
        const addresses = urls.map((url) => new URL(url.replace(/^ws/, "http")).origin);
        const answers = addresses.map(async (url) => {
          const answer = await ask(url);
          if (answer.ok && answer.hub.id === id) return answer.hub;
          throw new Error(`${url} does not answer as ${id}`);
        });
        const [url] = addresses;
        const announced = url === undefined ? [] : [{ id, name, url }];
        return Promise.any(answers).then(
          (hub) => [hub],
          () => announced,
        );
      }),
    );
    return hubs.flat();
  };

  const locate = async (): Promise<string> => {
    const chosen = remembered();
    if (chosen === null) throw new Error("no hub was chosen yet");
    // A person may choose another hub during this search.
    const isChosen = () => remembered()?.id === chosen.id && remembered()?.url === chosen.url;
    const here = await ask(chosen.url);
    if (!isChosen()) return locate();
    if (here.ok && here.hub.id === chosen.id) {
      if (here.hub.name !== chosen.name) remember(here.hub);
      return chosen.url;
    }
    const moved = (await find()).find(({ id }) => id === chosen.id);
    if (!isChosen()) return locate();
    if (moved !== undefined && moved.url !== chosen.url) {
      log.info({ from: chosen.url, to: moved.url }, "the hub has another address now");
      remember(moved);
      return moved.url;
    }
    // Data recorded for one hub must not be sent to another that has taken its address.
    if (here.ok) throw new Error(`another hub answers at ${chosen.url}`);
    return chosen.url;
  };

  return {
    find,
    /** Remembers the hub that answers at an address typed by a person. */
    async choose(typed: string): Promise<ChosenHub> {
      let refusal: ChosenHub = { ok: false, reason: "not_an_address" };
      for (const url of addressesOf(typed)) {
        const answer = await ask(url);
        if (answer.ok) remember(answer.hub);
        if (answer.ok || answer.reason === "not_a_hub") return answer;
        refusal = answer;
      }
      return refusal;
    },
    /** Returns the remembered hub's address. Searches the network if it does not answer there. Rejects without a hub. */
    locate: (): Promise<string> =>
      (locating ??= locate().finally(() => {
        locating = undefined;
      })),
  };
}

/**
 * Returns the addresses that `192.168.1.10`, `caja.local:8766` or `http://192.168.1.10:8766/terminal/` may mean, likeliest
 * first. Without a port: the hub's default port, then the scheme's. Empty if the text is not an address.
 */
export function addressesOf(typed: string): string[] {
  const text = typed.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || url.hostname === "" || url.username !== "" || /\s/.test(text)) return [];
  const asTyped = url.origin;
  if (url.port !== "" || url.protocol === "https:") return [asTyped];
  url.port = String(settings.HUB_HTTP_PORT.default);
  return [url.origin, asTyped];
}
