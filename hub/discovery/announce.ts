import { logEvent } from "../platform/log-event.ts";
import { isIP } from "node:net";
import type { CiaoService, Responder } from "@homebridge/ciao";
import { withTimeout } from "../platform/with-timeout.ts";
import type { World } from "../platform/world.ts";

export interface Announcement {
  /** Shortened if the network cannot carry it; the TXT record has the full name. */
  name: string;
  /** The address that the hub listens on. A single address is announced only there. */
  host: string;
  port: number;
  txt: Record<string, string>;
}

const RETRY_MS = [5_000, 15_000, 60_000];
/** Probing takes about a second, and another for each hub with the same name. */
const ANNOUNCED_WITHIN_MS = 15_000;

/** `off`: disabled in the settings. */
export type AnnouncerState = "starting" | "announced" | "failed" | "off";

/** Announces the hub on the local network. Errors never leave this module: discovery is optional. */
export function createAnnouncer(world: World, onState: () => void) {
  let responder: Responder | null = null;
  let service: CiaoService | null = null;
  let retryTimer: NodeJS.Timeout | undefined;
  let failures = 0;
  let stopped = false;
  let state: AnnouncerState = "off";

  function setState(next: AnnouncerState): void {
    state = next;
    onState();
  }

  async function announce(announcement: Announcement): Promise<void> {
    setState("starting");
    try {
      // Loaded on demand: it opens sockets on every interface.
      const { getResponder } = await import("@homebridge/ciao");
      if (stopped) return;
      const { host } = announcement;
      responder = getResponder(isSingleAddress(host) ? { interface: host } : undefined);
      service = responder.createService({
        name: announcedName(announcement.name),
        type: "comanda-hub",
        port: announcement.port,
        txt: announcement.txt,
        // The hub does not listen on the interface's other addresses.
        ...(isSingleAddress(host) && { restrictedAddresses: [host] }),
        disabledIpv6: isIP(host) === 4,
      });
      if (!(await withTimeout(world, ANNOUNCED_WITHIN_MS, service.advertise())))
        throw new Error("the network did not take the announcement");
      if (stopped) return;
      failures = 0;
      setState("announced");
      world.log.info(logEvent("announced", { name: announcement.name }), "announced on the local network");
    } catch (error) {
      setState("failed");
      world.log.warn(
        logEvent("not_announced", { err: error }),
        "the hub could not be announced; terminals can be given its address",
      );
      await withdraw();
      const waitMs = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 60_000;
      failures += 1;
      if (!stopped) retryTimer = world.timers.setTimeout(() => void announce(announcement), waitMs);
    }
  }

  async function withdraw(): Promise<void> {
    try {
      await service?.end();
      await service?.destroy();
      await responder?.shutdown();
      // After a failed send ciao waits for a rejected promise every 2 s, for ever. Without it, ciao sees that the service is gone.
      if (responder !== null) Object.assign(responder, { promiseChain: Promise.resolve() });
    } catch (error) {
      world.log.warn({ err: error }, "the announcement could not be withdrawn");
    }
    service = null;
    responder = null;
  }

  return {
    start: (announcement: Announcement): void => void announce(announcement),
    state: () => state,
    /** Returns the announced host name, such as `comanda-hub.local`, or null. */
    hostname: (): string | null => service?.getHostname().replace(/\.$/, "") ?? null,
    /** Withdraws the announcement. */
    async stop(): Promise<void> {
      stopped = true;
      world.timers.clearTimeout(retryTimer);
      await withdraw();
    },
  };
}

function isSingleAddress(host: string): boolean {
  return isIP(host) !== 0 && host !== "0.0.0.0" && host !== "::";
}

/** A DNS label has 63 bytes. Six are reserved for the `-(99)` that distinguishes hubs of the same name. */
const MAX_BYTES = 57;

/** Shortens a hub's name to what the local network can carry: whole characters, not ending in a dot or space. */
function announcedName(name: string): string {
  let short = "";
  for (const { segment } of new Intl.Segmenter().segment(name)) {
    if (Buffer.byteLength(short + segment) > MAX_BYTES) break;
    short += segment;
  }
  const shown = short.replace(/[.\s]+$/, "");
  return shown === "" ? "Comanda Hub" : shown;
}
