import { savedStore } from "./saved.ts";

/** The back-office account signed in on this device. */
export interface Account {
  /** Token of the back-office session. */
  token: string;
  user: { id: number | string; name: string };
  /** The login name, so that only the password is asked for when the session has ended. */
  login?: string;
}

/** Null if no account is signed in: the sign-in form is shown. */
export const account = savedStore<Account | null>("comanda-terminal-account", isAccount, null);

/** Stores a newer token that the hub sent for the same session. */
export function renewAccount(token: string): void {
  const present = account.get();
  if (present !== null) account.set({ ...present, token });
}

function isAccount(value: unknown): value is Account {
  const { token, user } = (value ?? {}) as Partial<Account>;
  return typeof token === "string" && typeof user?.name === "string";
}
