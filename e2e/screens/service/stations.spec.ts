import type { SettingList } from "@comanda/protocol";
import { expect, seriousIssues, test } from "../support/screen-test.ts";

test.use({ ownDinner: "stations", refusalsExpected: true });

test("a change to the stations saved elsewhere does not overwrite unsaved edits [UI-174]", async ({ open, dinner }) => {
  const page = await open("/kitchen/stations");
  const stations = page.getByRole("group");
  const bar = stations.nth(1).getByRole("textbox", { name: "Name" });
  const { settings } = await dinner.operator.get<SettingList>("/operator/v1/settings");
  const before = settings.find(({ name }) => name === "HUB_STATIONS")?.value ?? "";
  const saveElsewhere = async (value: string) => {
    await fetch(`${dinner.restaurant.hubUrl}/operator/v1/settings`, {
      method: "PATCH",
      headers: { Authorization: `Bearer ${dinner.operator.token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ values: { HUB_STATIONS: value } }),
    });
  };
  await saveElsewhere(before.replace('"Bar"', '"Barra"'));
  await expect(bar).toHaveValue("Barra");
  await bar.fill("Barra del patio");
  await saveElsewhere(before);
  await expect(page.getByRole("alert")).toContainText("Somebody else has saved the stations");
  await expect(bar).toHaveValue("Barra del patio");
  await page.getByRole("button", { name: "Discard my changes" }).click();
  await expect(bar).toHaveValue("Bar");
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a station is added with its name, categories and position, and survives a restart [UI-174]", async ({
  open,
  dinner,
}) => {
  const page = await open("/system/settings");
  const row = page.getByRole("row", { name: /HUB_STATIONS/ });
  await expect(row).toContainText("Cocina caliente, Bar");
  await row.getByRole("link", { name: "Change: Kitchen stations and the products of each" }).click();
  await page.getByRole("button", { name: "Add a station" }).click();
  const station = page.getByRole("group", { name: "New station" });
  const save = page.getByRole("button", { name: "Save" });
  await station.getByRole("textbox", { name: "Name" }).fill("bar");
  await expect(page.getByText("Each station needs a name of its own.")).toBeVisible();
  await expect(save).toBeDisabled();
  const stations = page.getByRole("group");
  await stations.nth(2).getByRole("textbox", { name: "Name" }).fill("Postres d'aquí");
  const added = page.getByRole("group", { name: "Postres d'aquí" });
  await added.getByRole("combobox", { name: "Categories" }).click();
  await page.getByRole("option", { name: "Postres" }).click();
  await page.keyboard.press("Escape");
  await added.getByRole("switch", { name: "Marks what is served" }).click();
  await page.getByRole("button", { name: "Move Postres d'aquí up" }).click();
  expect(await seriousIssues(page)).toEqual([]);
  await save.click();
  await expect(page.getByText("Saved. It applies from the next send to the kitchen.")).toBeVisible();
  await expect(page.getByText("Some changes take effect when the hub restarts.")).toHaveCount(0);

  await dinner.restaurant.killHub();
  await dinner.restaurant.startHub();
  await page.reload();
  await expect(stations).toHaveCount(3);
  await expect(stations.nth(0)).toHaveAccessibleName("Cocina caliente");
  await expect(stations.nth(1)).toHaveAccessibleName("Postres d'aquí");
  await expect(stations.nth(1).getByRole("switch")).toBeChecked();
  await expect(stations.nth(2)).toHaveAccessibleName("Bar");
});
