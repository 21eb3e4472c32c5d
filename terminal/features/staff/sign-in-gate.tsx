import { useStore } from "@comanda/ui/store.ts";
import type { ReactNode } from "react";
import { account, type Account } from "../../lib/device/account.ts";
import { lazyPart } from "@comanda/ui/lazy-part.ts";

const SignInScreen = lazyPart(() => import("./sign-in-screen.tsx"), "SignInScreen");

/** Shows the sign-in screen until an account is signed in, then the rest. */
export function SignInGate({ children }: { children: (account: Account) => ReactNode }) {
  const signedIn = useStore(account);
  if (signedIn !== null) return children(signedIn);
  return <SignInScreen onSignedIn={account.set} />;
}
