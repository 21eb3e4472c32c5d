import { logEvent } from "../platform/log-event.ts";
import { sentence, type Sentence } from "@comanda/protocol";
import type { World } from "../platform/world.ts";
import { BackOfficeError } from "./back-office-error.ts";
import type { BackOfficeClient } from "./client.ts";
import type { Answer } from "./transport.ts";

export type OwnSession = ReturnType<typeof createOwnSession>;

/** Delays after refused logins, so that the back-office does not lock the user out. */
const REFUSED_WAIT_MS = [2_000, 5_000, 15_000, 60_000];

/** Manages the hub's own back-office session: opens it on first use and renews it when it dies. Its token is never logged. */
export function createOwnSession(
  world: World,
  client: BackOfficeClient,
  credentials: { user: string; password: string } | null,
) {
  let token: string | null = null;
  let opening: Promise<string> | null = null;
  let refusals = 0;
  let refused: BackOfficeError | null = null;
  let notBefore = 0;
  const listeners: (() => void)[] = [];
  let announced = standing();

  function standing(): string {
    return token === null ? `signed out: ${refused?.message ?? ""}` : "signed in";
  }

  /** Notifies listeners. Call this after each change of `token` or `refused`. */
  function notify(): void {
    if (standing() === announced) return;
    announced = standing();
    for (const listener of listeners) listener();
  }

  async function open(): Promise<string> {
    if (credentials === null) throw new BackOfficeError("login_refused", sentence("no_credentials"));
    if (refused !== null && world.clock.monotonic() < notBefore) throw refused;
    try {
      const answer = await client.authenticate(credentials.user, credentials.password);
      token = answer.token;
      refusals = 0;
      refused = null;
      notify();
      world.log.info(
        logEvent("back_office_signed_in", { user: answer.value.userName }),
        "signed in at the back-office",
      );
      return token;
    } catch (error) {
      if (error instanceof BackOfficeError && isRefusedSignIn(error)) {
        notBefore = world.clock.monotonic() + (REFUSED_WAIT_MS[Math.min(refusals, REFUSED_WAIT_MS.length - 1)] ?? 0);
        refusals += 1;
        refused = error;
        notify();
        world.log.warn(
          logEvent("back_office_sign_in_refused", { reason: error.message, refusals }),
          "the back-office refuses the hub's own sign-in",
        );
      }
      throw error;
    }
  }

  function ensure(): Promise<string> {
    if (token !== null) return Promise.resolve(token);
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  }

  return {
    hasCredentials: credentials !== null,
    isSignedIn: (): boolean => token !== null,
    /** Forgets the session and earlier refusals, so that the next call signs in again at once. */
    forget(): void {
      token = null;
      refused = null;
      refusals = 0;
      notify();
    },
    /** Called when the session was opened, has died, or its sign-in was refused. */
    onChange: (listener: () => void): void => void listeners.push(listener),
    /** Why the back-office refused the hub's last sign-in; null if it did not. */
    refusal: (): Sentence | null => refused?.said ?? null,

    /** Runs a call with the session and, if the session is dead, once more with a new one. */
    async use<T>(call: (token: string) => Promise<Answer<T>>): Promise<T> {
      const used = await ensure();
      try {
        const answer = await call(used);
        if (token === used) token = answer.token;
        return answer.value;
      } catch (error) {
        if (!(error instanceof BackOfficeError) || error.kind !== "session_dead") throw error;
        if (token === used) token = null;
        notify();
        const answer = await call(await ensure());
        token = answer.token;
        notify();
        return answer.value;
      }
    },
  };
}

/** Whether the account or the database name is wrong, so that only a change here or in the back-office can help. */
function isRefusedSignIn({ kind, reason }: BackOfficeError): boolean {
  return kind === "login_refused" || reason === "unknown_database";
}
