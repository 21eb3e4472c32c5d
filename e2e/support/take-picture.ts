import path from "node:path";
import type { Page } from "@playwright/test";

/** Saves a picture of a page for the docs if `PICTURES=1`: only tests reach some states. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env["PICTURES"] !== "1") return;
  const file = path.resolve(import.meta.dirname, "../../docs/screenshots", `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
}
