/**
 * The object that an Android app around this page adds to its window (docs/operations/terminals.md). It has only methods
 * because `addJavascriptInterface` exposes nothing else.
 */
export interface ComandaWrapper {
  /** The app's semantic version. */
  version(): string;
  /** Opens an address in the system browser, to download the app. */
  openInBrowser(address: string): void;
}

declare global {
  interface Window {
    comandaWrapper?: ComandaWrapper;
  }
}
