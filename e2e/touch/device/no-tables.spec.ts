import { expect, test } from "../support/touch-test.ts";
import type { Restaurant } from "../../support/restaurant.ts";

/** Removes every table from the back-office's floor plan; resolves when the hub has noticed. */
async function removeTables({ backOfficeUrl, hubUrl, token }: Restaurant): Promise<void> {
  const headers = { authorization: `Bearer ${await token("manager")}`, "content-type": "application/json" };
  const floorsOf = async (): Promise<{ id: number; tables: { id: number }[] }[]> => {
    const { floors } = (await (await fetch(new URL("/terminal/v1/floors", hubUrl), { headers })).json()) as {
      floors: { id: number; tables: { id: number }[] }[];
    };
    return floors;
  };
  for (const { id: floorId, tables } of await floorsOf()) {
    const body = JSON.stringify({ floorId, create: [], update: [], delete: tables.map(({ id }) => id) });
    const url = new URL("/pos-api/v1/floor-plan/save", backOfficeUrl);
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  }
  await expect.poll(async () => (await floorsOf()).flatMap(({ tables }) => tables)).toEqual([]);
}

for (const kind of ["phone", "pc"] as const) {
  test(`a restaurant without tables starts on its checks and has no floor (${kind}) [TOUCH-443]`, async ({
    open,
    restaurant,
  }) => {
    await removeTables(restaurant);
    const page = await open({ name: `mostrador-${kind}`, login: "cashier", kind });
    await expect(
      page.getByRole("button", { name: "Nueva para llevar" }).or(page.getByRole("link", { name: "Nueva para llevar" })),
    ).toBeVisible();
    const screens = page.getByRole("navigation");
    await expect(screens.getByRole("link", { name: "Para llevar" })).toHaveAttribute("aria-current", "page");
    for (const name of ["Salón", "Reservas"]) await expect(screens.getByRole("link", { name })).toHaveCount(0);
    await page.evaluate(() => (location.hash = "#/floor"));
    await expect(page.getByText("No hay cuentas sin mesa.")).toBeVisible();
  });
}
