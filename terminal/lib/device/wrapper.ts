/**
 * What an Android app around this page puts in its window (docs/operations/terminals.md): an object of
 * `addJavascriptInterface`, which has methods only.
 */
export interface ComandaWrapper {
  /** The app's version, by semantic versioning. */
  version(): string;
  /** Opens an address in the system's browser, which downloads the app from there. */
  openInBrowser(address: string): void;
}

declare global {
  interface Window {
    comandaWrapper?: ComandaWrapper;
  }
}
