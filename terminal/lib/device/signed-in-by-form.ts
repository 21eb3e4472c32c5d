import { createStore } from "@comanda/ui/store.ts";
import type { Account } from "./account.ts";

/** The user who has just signed in with the password, until asked whether they want a PIN. */
export const signedInByForm = createStore<Account["user"]["id"] | null>(null);
