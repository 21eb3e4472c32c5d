import type { BackOffice } from "./create-back-office.ts";
import type { Stores } from "../stores/create-stores.ts";
import { createAccess } from "../http/access/access.ts";
import { createPasswordSignIn } from "../http/access/password-sign-in.ts";
import { createPinSessions } from "../http/access/pin-sessions.ts";
import type { World } from "../platform/world.ts";

export type HubAccess = ReturnType<typeof createHubAccess>;

/** Builds access control and sign-in over HTTP. */
export function createHubAccess(world: World, stores: Stores, backOffice: BackOffice) {
  const { changes, people, audit, keys, terminalStore } = stores;
  const { identities, reachability, isLineDown } = backOffice;
  const pinSessions = createPinSessions({ world, changes, people, audit, reachability });
  return {
    pinSessions,
    passwordSignIn: createPasswordSignIn({ world, identities }),
    access: createAccess({ identities, pinSessions, keys, terminalStore, isLineDown }),
  };
}
