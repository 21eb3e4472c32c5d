import type { SignIn } from "@comanda/protocol";
import { useMutation } from "@tanstack/react-query";
import { callHub } from "../../../lib/hub-client.ts";
import { signIn } from "../../../lib/session.ts";

/** Signs a manager in; from then on every call carries the token. */
export function useSignIn() {
  return useMutation({
    mutationFn: (account: SignIn) => callHub("signIn", { body: account }),
    onSuccess: ({ token, user }) => signIn(token, user),
  });
}
