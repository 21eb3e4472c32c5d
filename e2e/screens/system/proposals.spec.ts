import type { ProposalTerms } from "@comanda/protocol/proposals.ts";
import { takePicture } from "../../support/take-picture.ts";
import { layoutSettled, overflowOf } from "../support/layout.ts";
import { products } from "../support/menu.ts";
import { expect, seriousIssues, test } from "../support/screen-test.ts";
import { withHeadquarters } from "../support/with-headquarters.ts";

test.use({ ownDinner: "proposals", locale: "es-DO" });

const out: Extract<ProposalTerms, { kind: "stock" }>["items"] = [
  { key: products.mofongo.productId, want: { state: "out" } },
];

test("a manager sees who at headquarters proposes what, accepts one proposal and declines another [CHAIN-22, CHAIN-26]", async ({
  open,
  dinner,
}) => {
  await withHeadquarters(dinner, async (headquarters, id) => {
    const page = await open("/system/settings");
    const panel = page.getByRole("region", { name: "Propuestas de la sede central" });
    await expect(page.getByRole("region", { name: "Sede central", exact: true })).toContainText("Comanda demo");
    await expect(panel).toBeHidden();

    // New proposals appear without a reload.
    const stockProposal = await headquarters.propose(
      { kind: "stock", title: "Sin camarones", policy: "ask", items: out },
      [id],
    );
    await expect(panel).toContainText("Sin camarones");
    const tolerance = await headquarters.propose(
      {
        kind: "settings",
        title: "Más margen en caja",
        policy: "ask",
        items: [{ key: "HUB_TILL_TOLERANCE", want: "250" }],
      },
      [id],
    );
    const row = (title: string) => panel.getByRole("row").filter({ hasText: title });
    await expect(row("Sin camarones")).toContainText(/La dueña.*agotado.*Ahora: disponible.*Espera su respuesta/s);
    await expect(row("Más margen en caja")).toContainText(/250.*valor de fábrica/s);
    expect(await seriousIssues(page)).toEqual([]);
    await takePicture(page, "proposals");

    await panel.getByRole("button", { name: "Aceptar: Más margen en caja" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Aceptar" }).click();
    await panel.getByRole("button", { name: "Rechazar: Sin camarones" }).click();
    await expect(panel.getByText("Ya resueltas (2)")).toBeVisible();
    await expect(row("Más margen en caja")).toContainText("Aplicada");
    await expect(row("Sin camarones")).toContainText("Rechazada");
    await expect
      .poll(async () => (await headquarters.proposal(tolerance)).restaurants.map(({ state }) => state))
      .toEqual(["applied"]);
    await expect
      .poll(async () => (await headquarters.proposal(stockProposal)).restaurants.map(({ state }) => state))
      .toEqual(["declined"]);
    await page.setViewportSize({ width: 390, height: 844 });
    await layoutSettled(page);
    expect(await overflowOf(page)).toEqual([]);
    expect(await seriousIssues(page)).toEqual([]);
  });
});
