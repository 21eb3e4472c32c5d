import type { Plugin } from "vite";

const TEXT = String.raw`(?:"(?:[^"\\]|\\.)*"|\x60(?:[^\x60\\]|\\.)*\x60)`;
const SUMMARY = new RegExp(String.raw`\bsummary:\s*${TEXT}(?:\s*\+\s*${TEXT})*,`, "g");

/** Leaves the sentences that documents show of routes out of a page, which calls them. */
export function withoutSummaries(): Plugin {
  return {
    name: "without-summaries",
    transform: {
      filter: { id: /\/protocol\/src\/.*\.ts$/ },
      handler: (code) => (code.includes("summary:") ? { code: code.replace(SUMMARY, ""), map: null } : null),
    },
  };
}
