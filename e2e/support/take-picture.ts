import path from "node:path";
import type { Page } from "@playwright/test";

/** Keeps a picture of a page for the docs when a run asks for it (`PICTURES=1`): some states only a test brings about. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (process.env["PICTURES"] !== "1") return;
  const file = path.resolve(import.meta.dirname, "../../docs/screenshots", `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled" });
}
