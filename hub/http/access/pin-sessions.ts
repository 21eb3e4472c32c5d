import { logEvent } from "../../platform/log-event.ts";
import type { Reachability } from "../../back-office/reachability.ts";
import type { IssuedActor } from "../../people/pin-checker.ts";
import { LOCKED_MS, MAX_MISSES } from "../../people/pin-locks.ts";
import { type ScreenPlace, screenPlaces } from "../../people/screen-sessions.ts";
import { HubError } from "../../platform/errors.ts";
import { isLoopback } from "../../platform/loopback.ts";
import { createRateLimiter } from "../../platform/rate-limiter.ts";
import type { World } from "../../platform/world.ts";
import type { Stores } from "../../stores/create-stores.ts";

/** No back-office session id has this prefix, so a PIN session is never sent to the back-office. */
const PREFIX = "comanda-pin.";
/** How long sessions last after the back-office answers again, so that no manager is interrupted. */
const LAST_MS = 15 * 60_000;

export type PinSessions = ReturnType<typeof createPinSessions>;

export function isPinSession(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Sessions at the screens that managers open with their PIN while the back-office is unreachable. They survive a restart, and
 * end at most 15 minutes after the back-office answers again, since only it knows who is still a manager.
 */
export function createPinSessions(
  deps: Pick<Stores, "changes" | "people" | "audit"> & {
    world: World;
    reachability: Reachability;
  },
) {
  const { world, changes, audit, reachability } = deps;
  const { screens } = deps.people;
  const { monotonic } = world.clock;
  // Unknown names are counted too, so that a lock does not reveal whether a name exists.
  const peerLimiter = createRateLimiter(MAX_MISSES, monotonic, LOCKED_MS);
  const loginLimiter = createRateLimiter(MAX_MISSES, monotonic, LOCKED_MS);
  const endListeners: (() => void)[] = [];
  let endTimer: NodeJS.Timeout | undefined;

  function onReachable(isUp: boolean): void {
    world.timers.clearTimeout(endTimer);
    if (isUp) endTimer = world.timers.setTimeout(endAll, LAST_MS);
  }
  reachability.onChange(onReachable);

  function endAll(): void {
    changes.write(screens.endAll).then(
      () => endListeners.forEach((listener) => listener()),
      (error: unknown) => {
        world.log.error({ err: error }, "sessions opened with a PIN could not be ended");
        onReachable(true);
      },
    );
  }

  return {
    /**
     * Opens a session for a manager with a PIN. Throws CONFIRMATION_NEEDED while the back-office is reachable, UNAUTHENTICATED,
     * RATE_LIMITED, or UPSTREAM_UNAVAILABLE if the last confirmation is too old.
     */
    async open({ login, pin }: { login: string; pin: string }, peer: string): Promise<IssuedActor> {
      if (reachability.isUp() !== false) {
        const message = "sign in with login and password: a PIN is for when the back-office cannot be reached";
        throw new HubError("CONFIRMATION_NEEDED", message);
      }
      const place = placeOf(peer);
      const name = `${place} ${login.trim().toLowerCase()}`;
      if (!peerLimiter.hasRemaining(peer) || !loginLimiter.hasRemaining(name)) throw tooManyMisses();
      peerLimiter.admits(peer);
      loginLimiter.admits(name);
      try {
        const opened = await screens.open({ login, pin, place, peer }, (tx, { userId, userName }) =>
          audit.record(tx, userName, "person.pin_sign_in", String(userId), peer),
        );
        peerLimiter.giveBack(peer);
        loginLimiter.giveBack(name);
        world.log.info(
          logEvent("manager_sign_in", { user: opened.person.userName }),
          "a manager signed in at the screens with a PIN",
        );
        return { ...opened, token: PREFIX + opened.token };
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        if (error.code === "RATE_LIMITED") throw tooManyMisses();
        if (error.code === "UNAUTHENTICATED") throw new HubError("UNAUTHENTICATED", "login or PIN is wrong");
        throw error;
      }
    },

    /** Returns the person of a session and when it ends. Throws UNAUTHENTICATED. */
    find(token: string): Omit<IssuedActor, "token"> {
      const session = screens.find(token.slice(PREFIX.length));
      if (session === null) throw new HubError("UNAUTHENTICATED", "this session has ended; sign in again");
      return session;
    },

    async end(token: string): Promise<void> {
      await changes.write(() => screens.end(token.slice(PREFIX.length)));
    },

    /** Adds a listener that runs when all sessions have ended because the back-office answers again. */
    onEnded: (listener: () => void): void => void endListeners.push(listener),
    stop: (): void => world.timers.clearTimeout(endTimer),
  };
}

function placeOf(peer: string): ScreenPlace {
  return isLoopback(peer) ? screenPlaces.hub : screenPlaces.network;
}

function tooManyMisses(): HubError {
  const minutes = LOCKED_MS / 60_000;
  return new HubError("RATE_LIMITED", `${MAX_MISSES} wrong PINs: wait ${minutes} min, or sign in with the password`);
}
