import { test as base, expect, type Page } from "@playwright/test";
import { startIdentityProvider } from "../../headquarters/test/start-identity-provider.ts";
import { startTestHeadquarters } from "../../headquarters/test/start-test-headquarters.ts";
import { freePort } from "../../hub/test/support/free-port.ts";
import { overflowOf, show, sizes } from "../screens/support/layout.ts";
import { seriousIssues } from "../screens/support/screen-test.ts";

const PASSWORD = "una clave larga";

/** Starts headquarters with a provider. For a browser, `localhost` and `127.0.0.1` are different sites, as in production. */
async function startBoth() {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider = await startIdentityProvider({ redirectUri: `${publicUrl}/hq/v1/oidc/callback`, host: "localhost" });
  const headquarters = await startTestHeadquarters({
    HQ_PORT: String(port),
    HQ_CHAIN_NAME: "Pollos del Cibao",
    HQ_PUBLIC_URL: publicUrl,
    HQ_OIDC_ISSUER: provider.issuer,
    HQ_OIDC_CLIENT_ID: provider.clientId,
    HQ_OIDC_CLIENT_SECRET: provider.clientSecret ?? "",
    HQ_OIDC_NAME: "Cuentas del Cibao",
  });
  const code = /"setupCode":"([\w-]+)"/.exec(headquarters.logged.join("\n"))?.[1] ?? "";
  return {
    publicUrl,
    provider,
    code,
    async stop(): Promise<void> {
      await headquarters.stop();
      await provider.stop();
    },
  };
}

const test = base.extend<object, { both: Awaited<ReturnType<typeof startBoth>> }>({
  both: [
    async ({ browserName }, use) => {
      // Playwright requires a fixture to name the fixture that it builds on.
      void browserName;
      const both = await startBoth();
      await use(both);
      await both.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: async ({ both }, use) => use(both.publicUrl),
});

/** Signs in on the provider's own pages and consents to the sign-in at headquarters. */
async function signInThere(page: Page, account: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(account);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

test(
  "a person without a password signs in at the provider's pages and returns to the linked page [HQ-112, HQ-114, HQ-119, HQ-362]",
  { tag: "@walk" },
  async ({ both, browser, page }) => {
    // Stubs the fonts that the provider's pages load from another host.
    const openElsewhere = async (): Promise<Page> => {
      const elsewhere = await browser.newPage({ baseURL: both.publicUrl });
      await elsewhere.route(/fonts\./, (route) => route.fulfill({ contentType: "text/css", body: "" }));
      return elsewhere;
    };
    const { code, provider } = both;
    const owner = { code, login: "rosa", name: "Rosa Peña", password: PASSWORD };
    await page.request.post("/hq/v1/setup", { data: owner });
    await page.goto("/#/people");
    await expect(page.getByText("Entra con contraseña")).toBeVisible();

    const ana = await openElsewhere();
    provider.accounts.set("ana.1234", { email: "ana@cibao.example", email_verified: true });
    await ana.goto("/#/fleet?search=azua");
    await expect(ana.getByRole("heading", { level: 1 })).toHaveText("Central de Pollos del Cibao");
    for (const size of sizes) {
      await show(ana, size, "light");
      expect(await overflowOf(ana), `sign-in at ${size.width}`).toEqual([]);
    }
    await ana.getByRole("link", { name: "Entrar con Cuentas del Cibao" }).click();
    await signInThere(ana, "ana.1234");
    await expect(ana.getByRole("alert")).toContainText("Su cuenta de Cuentas del Cibao no puede entrar aquí");
    expect(new URL(ana.url()).search).toBe("");
    expect(new URL(ana.url()).hash).toBe("#/fleet?search=azua");
    expect(await seriousIssues(ana)).toEqual([]);

    await page.getByRole("button", { name: "Agregar usuario" }).click();
    await page.getByLabel("Nombre").fill("Ana Cruz");
    await page.getByLabel("Usuario", { exact: true }).fill("ana");
    await page.getByLabel("Correo de su cuenta de Cuentas del Cibao").fill("ana@cibao.example");
    await page.getByRole("button", { name: "Guardar" }).click();
    await expect(page.getByText("Entra con Cuentas del Cibao: ana@cibao.example")).toBeVisible();

    // The provider still knows the browser; headquarters' own cookie is Strict but must be sent nevertheless.
    await ana.getByRole("link", { name: "Entrar con Cuentas del Cibao" }).click();
    await expect(ana.getByRole("searchbox")).toHaveValue("azua");
    await ana.getByRole("button", { name: "Ana Cruz" }).click();
    await expect(ana.getByText("Cambiar mi contraseña")).toHaveCount(0);
    await ana.reload();
    await ana.getByRole("button", { name: "Ana Cruz" }).click();
    await ana.getByRole("button", { name: "Cerrar sesión" }).click();
    await expect(ana.getByRole("link", { name: "Entrar con Cuentas del Cibao" })).toBeVisible();

    const canceller = await openElsewhere();
    await canceller.goto("/");
    await canceller.getByRole("link", { name: "Entrar con Cuentas del Cibao" }).click();
    await canceller.getByRole("link", { name: /cancel/i }).click();
    await expect(canceller.getByRole("alert")).toContainText("no le dejó entrar, o usted lo canceló");
    await ana.close();
    await canceller.close();
  },
);
