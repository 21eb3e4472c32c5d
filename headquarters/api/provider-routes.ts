import type { HqProviderFailure } from "@comanda/protocol/headquarters.ts";
import type { Context } from "koa";
import type Router from "koa-router";
import { type IdentityProvider, ProviderFailure } from "../people/identity-provider.ts";
import type { People } from "../people/people.ts";
import type { World } from "../world.ts";
import { setSession } from "./session-cookie.ts";

const COOKIE = "hq_attempt";
const ATTEMPT_MS = 10 * 60_000;

/**
 * Adds the two routes of the sign-in by identity provider: start and callback. They answer with redirects, so they are not in
 * the table of API routes. Only the browser that makes an attempt keeps its values, so that strangers cannot fill memory here.
 */
export function addProviderRoutes(
  router: Router,
  { provider, people, world }: { provider: IdentityProvider; people: People; world: World },
): void {
  router.get("/hq/v1/oidc/start", (ctx) =>
    answer(ctx, async () => {
      const { url, attempt } = await provider.begin();
      // Lax: the provider's page, which is another site, sends the browser back.
      ctx.cookies.set(COOKIE, [attempt.state, attempt.nonce, attempt.verifier].join("."), {
        sameSite: "lax",
        maxAge: ATTEMPT_MS,
      });
      return url.href;
    }),
  );

  router.get("/hq/v1/oidc/callback", (ctx) =>
    answer(ctx, async () => {
      ctx.cookies.set(COOKIE, null, { sameSite: "lax" });
      const [state, nonce, verifier] = ctx.cookies.get(COOKIE)?.split(".") ?? [];
      if (!state || !nonce || !verifier || ctx.query["state"] !== state) {
        throw new ProviderFailure("invalid", "the attempt is not of this browser, over or used");
      }
      const identity = await provider.finish({ state, nonce, verifier }, ctx.querystring);
      setSession(ctx, await people.signInByProvider(identity, ctx.ip));
      return provider.homeUrl;
    }),
  );

  /** Redirects to the URL that `work` resolves with, or after a ProviderFailure to the sign-in page with the reason. */
  async function answer(ctx: Context, work: () => Promise<string>): Promise<void> {
    ctx.set("Cache-Control", "no-store");
    ctx.set("Referrer-Policy", "no-referrer");
    try {
      ctx.redirect(await work());
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error;
      const { reason, message } = error;
      world.log.warn({ reason, detail: message }, "a sign-in by the identity provider came to nothing");
      ctx.redirect(pageOf(reason));
    }
  }

  function pageOf(reason: HqProviderFailure): string {
    const page = new URL(provider.homeUrl);
    page.searchParams.set("signin", reason);
    return page.href;
  }
}
