import { choosePort } from "../nats/own-server.ts";
import type { OidcSettings } from "../settings.ts";
import { createWalker, startIdentityProvider } from "./start-identity-provider.ts";
import { signInOwner, startTestApi, type TestApi } from "./start-test-api.ts";

/** Starts headquarters and a provider that knows them, with an owner and people whom the owner adds. */
export async function startWithProvider(
  options: Omit<Parameters<typeof startIdentityProvider>[0], "redirectUri"> = {},
  more: Partial<OidcSettings> = {},
) {
  const port = await choosePort();
  const publicUrl = `http://127.0.0.1:${port}/`;
  const provider = await startIdentityProvider({ ...options, redirectUri: `${publicUrl}hq/v1/oidc/callback` });
  const { issuer, clientId, clientSecret } = provider;
  const oidc = { issuer, clientId, clientSecret, name: "Correo", trustsEmail: false, publicUrl, ...more };
  const api = await startTestApi({ port, oidc, clock: clockAhead() });
  const owner = await signInOwner(api);
  return {
    api,
    provider,
    owner,
    add: (person: Record<string, unknown>) =>
      owner.post("/people", { role: "operations", name: String(person["login"]), ...person }),
    async stop(): Promise<void> {
      await api.stop();
      await provider.stop();
    },
  };
}

/** Creates a clock that starts at the machine's time, which the provider uses, and that tests advance. */
function clockAhead() {
  let ahead = 0;
  return { now: () => Date.now() + ahead, advance: (ms: number) => void (ahead += ms) };
}

export const startOf = ({ origin }: TestApi): string => `${origin}/hq/v1/oidc/start`;

/** Signs in through the provider as `account`. Returns where the browser ends up and who is signed in. */
export async function signInByProvider(api: TestApi, account: string | null, walker = createWalker()) {
  const callback = await walker.passProvider(await walker.next(startOf(api)), account);
  return { walker, callback, ...(await returnFromProvider(api, walker, callback)) };
}

export async function returnFromProvider(api: TestApi, walker: ReturnType<typeof createWalker>, callback: string) {
  const page = await walker.next(callback);
  const session = await (await walker.visit(`${api.origin}/hq/v1/session`)).json();
  return { page, login: (session as { person?: { login: string } }).person?.login ?? null };
}

export const failed = (api: TestApi, reason: string) => ({ page: `${api.origin}/?signin=${reason}`, login: null });
