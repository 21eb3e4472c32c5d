import { HqEmail, type HqProviderFailure } from "@comanda/protocol/headquarters.ts";
import * as oidc from "openid-client";
import type { OidcSettings } from "../settings.ts";
import type { Attempt } from "./attempts.ts";
import type { World } from "../world.ts";

/** What it says of itself is read again after this; where it does not answer then, what it said goes on counting. */
const KNOWN_MS = 3_600_000;
const WAIT_S = 10;

/** A sign-in that came to nothing, with what the page says of it. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
  readonly reason: HqProviderFailure;

  constructor(reason: HqProviderFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** An account that has signed in at the provider. */
export interface Identity {
  issuer: string;
  subject: string;
  /** The e-mail that the provider vouches for; null where it vouches for none. */
  verifiedEmail(): Promise<string | null>;
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/**
 * The OpenID Connect provider of the chain: it proves who somebody is, by the authorization code flow with PKCE. It is first
 * asked when somebody signs in, so that headquarters start without it.
 */
export function createIdentityProvider(settings: OidcSettings, world: World, waitS = WAIT_S) {
  const redirectUri = new URL("hq/v1/oidc/callback", settings.publicUrl).href;
  const isPlain = new URL(settings.issuer).protocol === "http:";
  let known: { metadata: oidc.ServerMetadata; at: number } | null = null;
  let asking: Promise<oidc.ServerMetadata> | null = null;

  async function discover(): Promise<oidc.ServerMetadata> {
    const found = await oidc.discovery(new URL(settings.issuer), settings.clientId, undefined, undefined, {
      timeout: waitS,
      execute: isPlain ? [oidc.allowInsecureRequests] : [],
    });
    const metadata = found.serverMetadata();
    const { authorization_endpoint, token_endpoint, jwks_uri } = metadata;
    if (authorization_endpoint === undefined || token_endpoint === undefined || jwks_uri === undefined) {
      throw new ProviderFailure("unreachable", "the issuer names no endpoints");
    }
    known = { metadata, at: world.now() };
    return metadata;
  }

  async function metadata(): Promise<oidc.ServerMetadata> {
    if (known !== null && world.now() - known.at < KNOWN_MS) return known.metadata;
    asking ??= discover().finally(() => (asking = null));
    return asking.catch((error: unknown) => {
      if (known !== null) return known.metadata;
      throw error;
    });
  }

  async function configuration(): Promise<oidc.Configuration> {
    const server = await metadata();
    const config = new oidc.Configuration(
      server,
      settings.clientId,
      // Instants are judged by headquarters' clock.
      { [oidc.clockSkew]: Math.round((world.now() - Date.now()) / 1_000) },
      authenticationAt(server, settings.clientSecret),
    );
    config.timeout = waitS;
    // The signature too, not the connection alone: it may be plain on loopback, or pass a proxy of the chain's own.
    oidc.enableNonRepudiationChecks(config);
    if (isPlain) oidc.allowInsecureRequests(config);
    return config;
  }

  return {
    name: settings.name,
    /** By the public name, whatever the page was opened by: the provider sends the browser back there. */
    startUrl: new URL("hq/v1/oidc/start", settings.publicUrl).href,
    /** The page itself. */
    homeUrl: settings.publicUrl,

    /** Where a browser is sent to sign in. */
    async begin(): Promise<{ url: URL; attempt: Attempt }> {
      const attempt = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() };
      const config = await configuration().catch(refuse);
      const url = oidc.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: "openid email",
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: "S256",
      });
      return { url, attempt };
    },

    /** Whose account it is, by the query with which the browser came back. Throws a ProviderFailure. */
    async finish(attempt: Attempt, query: string): Promise<Identity> {
      const config = await configuration().catch(refuse);
      const cameBack = new URL(redirectUri);
      cameBack.search = query;
      const tokens = await oidc
        .authorizationCodeGrant(config, cameBack, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        })
        .catch(refuse);
      const claims = tokens.claims();
      // A provider with many houses may name another one than that which is configured.
      if (claims === undefined || new URL(claims.iss).href !== new URL(settings.issuer).href) {
        throw new ProviderFailure("invalid", "the account belongs to another issuer");
      }
      const { sub } = claims;
      return {
        issuer: claims.iss,
        subject: sub,
        async verifiedEmail() {
          const hasMore = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
          const said = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, sub).catch(refuse) : claims;
          const isVerified = said["email_verified"] ?? settings.trustsEmail;
          const email = HqEmail.safeParse(said["email"]);
          return isVerified === true && email.success ? email.data : null;
        },
      };
    },
  };
}

/** In the body, which more providers understand alike than the header; in the header where the body is not offered. */
function authenticationAt(server: oidc.ServerMetadata, secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return offered.includes("client_secret_post") ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** What was sent is not as it has to be, though the provider answers as it should. */
const invalid = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "invalid_grant",
]);

/** Only what the provider or the library calls it goes on: the rest may hold tokens. */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || error instanceof ProviderFailure) throw error;
  const isSaid = error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  const code = isSaid ? error.error : "code" in error ? String(error.code) : error.name;
  const said = `${code}: ${error.message}`;
  if (code === "access_denied") throw new ProviderFailure("denied", said);
  throw new ProviderFailure(invalid.has(code) ? "invalid" : "unreachable", said);
}
