import type { Pairing } from "@comanda/protocol";
import type { ChangeLog } from "../changes/change-log.ts";
import { notifyScreens } from "../changes/notify-screens.ts";
import { createAnnouncer } from "../discovery/announce.ts";
import type { Part } from "./lifecycle.ts";
import { createNetworkReach } from "../operator/terminals/network-reach.ts";
import { presentPairing } from "../operator/terminals/pairing.ts";
import { hubVersion } from "../platform/paths.ts";
import type { World } from "../platform/world.ts";
import type { HubConfig } from "../settings/config.ts";

export type Discovery = ReturnType<typeof createDiscovery>;

/** Builds how terminals find the hub: network announcement, pairing code, and whether a device has used the code. */
export function createDiscovery(deps: {
  worldOf: (component: string) => World;
  config: HubConfig;
  changes: ChangeLog;
  hubId: string;
  /** The port that the hub listens on. */
  port(): number;
}) {
  const { worldOf, changes, hubId, port } = deps;
  const { name, host, mdnsEnabled } = deps.config;
  const notify = (): void => notifyScreens(changes, worldOf("operator"), { topics: ["pairing"] });
  const announcer = createAnnouncer(worldOf("discovery"), notify);
  const networkReach = createNetworkReach(worldOf("operator"), notify);
  return {
    announcer,
    networkReach,
    /** Includes the code that tests the network if the caller is trusted. */
    pairing: (isTrusted: boolean): Pairing =>
      presentPairing({ hubId, name, host, port: port(), announcer }, isTrusted ? networkReach.read() : null),
    announcing: {
      start(): void {
        if (!mdnsEnabled) return;
        const txt = { id: hubId, name, ver: hubVersion, proto: "1", path: "/" };
        announcer.start({ name, host, port: port(), txt });
      },
      stop: announcer.stop,
    } satisfies Part,
  };
}
