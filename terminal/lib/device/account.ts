import { savedStore } from "./saved.ts";

/** Who is signed in on this device with a back-office account. */
export interface Account {
  /** The back-office session. */
  token: string;
  user: { id: number | string; name: string };
  /** With which they signed in, so that only the password is asked for once the session has ended. */
  login?: string;
}

/** Null: nobody, and the form is shown. */
export const account = savedStore<Account | null>("comanda-terminal-account", isAccount, null);

/** The hub sent a newer token of the same session. */
export function renewAccount(token: string): void {
  const present = account.get();
  if (present !== null) account.set({ ...present, token });
}

function isAccount(value: unknown): value is Account {
  const { token, user } = (value ?? {}) as Partial<Account>;
  return typeof token === "string" && typeof user?.name === "string";
}
