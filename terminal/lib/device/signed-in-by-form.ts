import { createStore } from "@comanda/ui/store.ts";
import type { Account } from "./account.ts";

/** Who has just signed in here with the password, until they were asked whether they want a PIN. */
export const signedInByForm = createStore<Account["user"]["id"] | null>(null);
