import type { Plugin } from "vite";

/**
 * What these browsers lack: calls, and walking over a stream of bytes. What the language has had since is not in the `lib` of
 * the pages' tsconfig.json.
 */
const tooNew = /\bURL\.(parse|canParse)\(|\bfor await\b/;

/**
 * Builds a page for the oldest browsers that it runs in, Chrome and WebView 119 and Safari 17.4: the terminal's library
 * needs those. `public/browser-gate.js` says so in an older one.
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
