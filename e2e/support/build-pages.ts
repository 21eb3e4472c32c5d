import { build } from "./build-hub.ts";

/** Playwright's global setup: builds the hub and its pages if their sources have changed. */
export default function buildPages(): void {
  build("test");
}
