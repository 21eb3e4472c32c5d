import { HqEmail, type HqProviderFailure } from "@comanda/protocol/headquarters.ts";
import * as oidc from "openid-client";
import type { OidcSettings } from "../settings.ts";
import type { World } from "../world.ts";

/** How long the provider's metadata is cached. If the provider does not answer after that, the old metadata stays in use. */
const METADATA_MS = 3_600_000;
const WAIT_S = 10;

/** A failed sign-in, with the reason that the page shows. */
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
  /** Returns the e-mail that the provider has verified; null if there is none. */
  verifiedEmail(): Promise<string | null>;
}

/** The values of a sign-in attempt that are needed when the browser comes back. */
interface Attempt {
  state: string;
  nonce: string;
  verifier: string;
}

export type IdentityProvider = ReturnType<typeof createIdentityProvider>;

/**
 * Creates the client of the chain's OpenID Connect provider, for the authorization code flow with PKCE. It first contacts the
 * provider when a person signs in, so that headquarters start without the provider.
 */
export function createIdentityProvider(settings: OidcSettings, world: World, waitS = WAIT_S) {
  const redirectUri = new URL("hq/v1/oidc/callback", settings.publicUrl).href;
  const isPlain = new URL(settings.issuer).protocol === "http:";
  let cached: { metadata: oidc.ServerMetadata; at: number } | null = null;
  let discovering: Promise<oidc.ServerMetadata> | null = null;

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
    cached = { metadata, at: world.now() };
    return metadata;
  }

  async function metadata(): Promise<oidc.ServerMetadata> {
    if (cached !== null && world.now() - cached.at < METADATA_MS) return cached.metadata;
    discovering ??= discover().finally(() => (discovering = null));
    return discovering.catch((error: unknown) => {
      if (cached !== null) return cached.metadata;
      throw error;
    });
  }

  async function configuration(): Promise<oidc.Configuration> {
    const server = await metadata();
    const config = new oidc.Configuration(
      server,
      settings.clientId,
      // The times in tokens are checked against headquarters' clock.
      { [oidc.clockSkew]: Math.round((world.now() - Date.now()) / 1_000) },
      authenticationAt(server, settings.clientSecret),
    );
    config.timeout = waitS;
    // Also checks token signatures: the connection may be plain http on loopback, or pass through a proxy of the chain.
    oidc.enableNonRepudiationChecks(config);
    if (isPlain) oidc.allowInsecureRequests(config);
    return config;
  }

  return {
    name: settings.name,
    /** Uses the public host even if the page was opened by another one: the provider sends the browser back to it. */
    startUrl: new URL("hq/v1/oidc/start", settings.publicUrl).href,
    /** The URL of the screens. */
    homeUrl: settings.publicUrl,

    /** Returns the URL that a browser is sent to for signing in. Throws a ProviderFailure. */
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

    /** Returns the account that signed in, from the query of the callback. Throws a ProviderFailure. */
    async finish(attempt: Attempt, query: string): Promise<Identity> {
      const config = await configuration().catch(refuse);
      const callbackUrl = new URL(redirectUri);
      callbackUrl.search = query;
      const tokens = await oidc
        .authorizationCodeGrant(config, callbackUrl, {
          expectedState: attempt.state,
          expectedNonce: attempt.nonce,
          pkceCodeVerifier: attempt.verifier,
          idTokenExpected: true,
        })
        .catch(refuse);
      const claims = tokens.claims();
      // A provider with several tenants may name another issuer than the configured one.
      if (claims === undefined || new URL(claims.iss).href !== new URL(settings.issuer).href) {
        throw new ProviderFailure("invalid", "the account belongs to another issuer");
      }
      const { sub } = claims;
      return {
        issuer: claims.iss,
        subject: sub,
        async verifiedEmail() {
          const hasMore = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
          const userInfo = hasMore ? await oidc.fetchUserInfo(config, tokens.access_token, sub).catch(refuse) : claims;
          const isVerified = userInfo["email_verified"] ?? settings.trustsEmail;
          const email = HqEmail.safeParse(userInfo["email"]);
          return isVerified === true && email.success ? email.data : null;
        },
      };
    },
  };
}

/** Sends the secret in the body, which providers handle more uniformly, or in the header if the body is not offered. */
function authenticationAt(server: oidc.ServerMetadata, secret: string | null): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const offered = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return offered.includes("client_secret_post") ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret);
}

/** Error codes for invalid data in a sign-in, while the provider itself works. */
const invalid = new Set([
  "OAUTH_INVALID_RESPONSE",
  "OAUTH_JWT_CLAIM_COMPARISON_FAILED",
  "OAUTH_JWT_TIMESTAMP_CHECK_FAILED",
  "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED",
  "invalid_grant",
]);

/** Throws an error as a ProviderFailure with its code and message alone: the rest may hold tokens. */
function refuse(error: unknown): never {
  if (!(error instanceof Error) || error instanceof ProviderFailure) throw error;
  const isProviderError = error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  const code = isProviderError ? error.error : "code" in error ? String(error.code) : error.name;
  const message = `${code}: ${error.message}`;
  if (code === "access_denied") throw new ProviderFailure("denied", message);
  throw new ProviderFailure(invalid.has(code) ? "invalid" : "unreachable", message);
}
