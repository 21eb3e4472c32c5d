import type { Restaurant } from "../../support/restaurant.ts";
import { expect, test } from "../support/touch-test.ts";

const release = {
  version: "1.4.0",
  notes: "Cobra más rápido.",
  pub_date: "2026-11-20T10:00:00Z",
  url: "https://files.example/comanda.apk",
};

/** Publishes the back-office's release for Android apps; null withdraws it. */
const publish = (restaurant: Restaurant, published: typeof release | null) =>
  fetch(new URL("/stub/v1/releases", restaurant.backOfficeUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ target: "android", release: published }),
  });

/** Simulates the object that an Android app adds to the window with `addJavascriptInterface`. */
function inWrapper(): void {
  const opened: string[] = [];
  Object.assign(window, {
    opened,
    comandaWrapper: { version: () => "1.3.0", openInBrowser: (address: string) => void opened.push(address) },
  });
}

const openedBy = () => (window as unknown as { opened: string[] }).opened;

test("inside an Android app a newer version is offered before sign-in, and opens in the browser [UPD-99, UPD-73]", async ({
  open,
  restaurant,
}) => {
  await publish(restaurant, release);
  const page = await open({ name: "envuelto", isNew: true, before: inWrapper });
  const offer = page.getByRole("dialog", { name: "Hay una versión nueva: 1.4.0" });
  await expect(offer.getByText("Cobra más rápido.")).toBeVisible();
  await expect(offer.getByText("abra el archivo para instalarla")).toBeVisible();
  await page.keyboard.press("Escape");
  await offer.getByRole("button", { name: "Descargar actualización" }).tap();
  expect(await page.evaluate(openedBy)).toEqual([release.url]);
  await offer.getByRole("button", { name: "Después" }).tap();
  await expect(page.getByLabel("Usuario")).toBeVisible();
  await page.reload();
  await expect(offer).toBeVisible();

  await publish(restaurant, null);
  await page.reload();
  await expect(page.getByLabel("Usuario")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("inside an Android app a failed update check lets the person continue to the terminal [UPD-99, UPD-64]", async ({
  open,
  restaurant,
}) => {
  await fetch(new URL("/stub/v1/faults", restaurant.backOfficeUrl), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      faults: [{ path: "/pos-api/v1/updates/check/android/aarch64/1.3.0", action: "status", status: 500, body: {} }],
    }),
  });
  const page = await open({ name: "sin-linea", before: inWrapper, refusalsExpected: true });
  const dialog = page.getByRole("dialog", { name: "No se pudieron buscar actualizaciones" });
  await dialog.getByRole("button", { name: "Continuar de todos modos" }).tap();
  await expect(dialog).toHaveCount(0);
});

test("a plain browser neither loads nor requests the Android update check [UPD-61, UPD-99]", async ({
  open,
  restaurant,
}) => {
  await publish(restaurant, release);
  const page = await open({ name: "navegador" });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.reload();
  await expect(page.getByRole("button", { name: /^Trabaja / })).toBeVisible();
  expect(requests.filter((address) => /android-update|wrapper/.test(address))).toEqual([]);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await publish(restaurant, null);
});
