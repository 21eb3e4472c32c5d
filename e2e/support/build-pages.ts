import { build } from "./build-hub.ts";

/** Playwright's global setup: builds the hub and the pages that it serves, when their sources have changed. */
export default function buildPages(): void {
  build("test");
}
