import type { Plugin } from "vite";

/**
 * What these browsers lack: some calls, and iterating over a stream of bytes. Newer language features are not in the `lib` of
 * the pages' tsconfig.json.
 */
const tooNew = /\bURL\.(parse|canParse)\(|\bfor await\b/;

/**
 * Builds a page for the oldest browsers that it supports, Chrome and WebView 119 and Safari 17.4, because of the terminal's
 * library. In an older one, `public/browser-gate.js` says that it is too old.
 */
export function oldestBrowser(): Plugin {
  return {
    name: "oldest-browser",
    config: () => ({ build: { target: "es2023" } }),
    transform(code, file) {
      const [found] = file.includes("/node_modules/") ? [] : (tooNew.exec(code) ?? []);
      if (found !== undefined) this.error(`${file}: the oldest browsers of this page have no ${found}`);
    },
  };
}
