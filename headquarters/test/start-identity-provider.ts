import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider, { type ClientMetadata, type KoaContextWithOIDC } from "oidc-provider";

const CLIENT_ID = "headquarters";
const SECRET = "a secret of ~32.signs-or_more + x";

export interface Account {
  email?: string;
  email_verified?: boolean;
}

/** Starts a real OpenID Connect provider. Its page signs in any named account without checking the password. */
export async function startIdentityProvider({
  redirectUri,
  host = "127.0.0.1",
  authMethod = "client_secret_post",
  hasClaimsInToken = false,
}: {
  redirectUri: string;
  host?: string;
  /** The only client authentication that the provider offers. `none`: headquarters have no secret. */
  authMethod?: "client_secret_post" | "client_secret_basic" | "none";
  /** Puts the e-mail into the ID token; otherwise clients request it, as the specification says. */
  hasClaimsInToken?: boolean;
}) {
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  /** Accounts by `sub`. Tests add and change them. */
  const accounts = new Map<string, Account>();
  /** Lets a test alter the token endpoint's answer in transit. */
  const line: { tamper: ((answer: { id_token: string }) => void) | null } = { tamper: null };
  const client: ClientMetadata = {
    client_id: CLIENT_ID,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: authMethod,
    ...(authMethod === "none" ? {} : { client_secret: SECRET }),
  };
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const provider = new Provider(issuer, {
    clients: [client],
    clientAuthMethods: [authMethod],
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: !hasClaimsInToken,
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 300, Interaction: 600, Session: 600 },
    findAccount: (_ctx: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ sub, ...accounts.get(sub) }),
    }),
  });
  provider.use(async (ctx: KoaContextWithOIDC, next: () => Promise<void>) => {
    await next();
    if (ctx.path === "/token" && ctx.status === 200) line.tamper?.(ctx.body as { id_token: string });
  });
  const serve = provider.callback();
  answer = (request, response) => void serve(request, response);
  return {
    issuer,
    accounts,
    line,
    clientId: CLIENT_ID,
    clientSecret: authMethod === "none" ? null : SECRET,
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Creates a browser without scripts. It follows redirects and fills in the provider's forms as `account` until it is sent
 * back to another origin.
 */
export function createWalker() {
  const jar = new Map<string, Map<string, string>>();

  async function visit(url: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(url);
    const cookies = jar.get(host) ?? new Map<string, string>();
    jar.set(host, cookies);
    const response = await fetch(url, {
      redirect: "manual",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = "", ...attributes] = set.split(/;\s*/);
      const [name = "", value = ""] = pair.split(/=(.*)/);
      const isOver = value === "" || attributes.some((each) => /^max-age=0$/i.test(each));
      if (isOver) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  /** Returns the address to which a page redirects. */
  async function next(url: string): Promise<string> {
    const response = await visit(url);
    const location = response.headers.get("Location");
    if (location === null) throw new Error(`${url} answers ${response.status}: ${await response.text()}`);
    return new URL(location, url).href;
  }

  return {
    jar,
    visit,
    next,
    /** Goes through the provider's pages. Returns the address to which it sends the browser back. */
    async passProvider(url: string, account: string | null): Promise<string> {
      const { origin } = new URL(url);
      let at = url;
      while (new URL(at).origin === origin) {
        const response = await visit(at);
        const location = response.headers.get("Location");
        if (location !== null) {
          at = new URL(location, at).href;
          continue;
        }
        const page = await response.text();
        const action = /action="([^"]+)"/.exec(page)?.[1];
        const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
        if (action === undefined || prompt === undefined) throw new Error(`${at} is no form: ${page}`);
        const to = account === null ? `${action}/abort` : action;
        const sent = await visit(new URL(to, at).href, account === null ? undefined : { prompt, login: account });
        at = new URL(sent.headers.get("Location") ?? "", at).href;
      }
      return at;
    },
  };
}
