import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { AuditAction, errorCodes } from "@comanda/protocol";
import { allTexts, glossary, logMessages, type ShownText } from "./texts-document.ts";

const texts = allTexts();
const place = ({ table, key }: ShownText) => `${table}/${key}`;

/** Returns the texts whose Spanish breaks a rule, with their places. */
function breaking(breaks: (es: string, text: ShownText) => boolean): string[] {
  return texts.filter((text) => breaks(text.es, text)).map((text) => `${place(text)}: ${text.es}`);
}

/** Words that no Spanish sentence contains, except in names and typed text. */
const english =
  /\b(the|and|with|this|that|of|from|is|are|was|were|has|have|not|cannot|must|please|error code|failed|settings?|check(?:s|ed)?|order(?:s|ed)?|table|user|password|saved?|loading|unknown|missing|invalid|expected|received|required)\b/i;

describe("texts", () => {
  it("every text is in both languages, with the same values [UI-6] [UI-225]", () => {
    const values = (text: string) =>
      [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name).toSorted((a, b) => a.localeCompare(b));
    const differing = texts.filter(
      ({ es, en }) => (es === "") !== (en === "") || JSON.stringify(values(es)) !== JSON.stringify(values(en)),
    );
    expect(differing.map(place)).toEqual([]);
  });

  it("no Spanish text contains English [UI-225]", () => {
    expect(breaking((es) => english.test(es.replaceAll(/\{\{\w+\}\}|HUB_\w+|«[^»]*»/g, "")))).toEqual([]);
  });

  it("no text contains milliseconds or the name of a variable [UI-225]", () => {
    const technical = /\bms\b|milisegundo|millisecond|\bHUB_[A-Z]|\bERP_[A-Z]/;
    const found = texts.filter(({ es, en, table }) => table !== "log" && (technical.test(es) || technical.test(en)));
    expect(found.map(place)).toEqual([]);
  });

  it("a refusal has one text for terminals and screens, in one table [UI-229]", () => {
    const [screens, terminal] = ["screens", "terminal"].map((name) =>
      texts
        .filter(({ table, key }) => table === name && key.startsWith("refusal."))
        .map(({ key, es }) => ({ key, es })),
    );
    expect(terminal).toEqual(screens);
    const keys = terminal?.map(({ key }) => key);
    expect(keys).toEqual(
      expect.arrayContaining(errorCodes.flatMap((code) => [`refusal.${code}.what`, `refusal.${code}.todo`])),
    );
    const what = new Set(terminal?.filter(({ key }) => key.endsWith(".what")).map(({ es }) => es));
    const isOfCode = (key: string) => errorCodes.some((code) => key.endsWith(`.${code}`));
    expect(breaking((es, { key }) => isOfCode(key) && what.has(es))).toEqual([]);
  });

  it("no text uses a word that the glossary replaces [UI-225]", () => {
    const wrong = glossary.flatMap(({ forbiddenEs }) => [...forbiddenEs]);
    const pattern = new RegExp(String.raw`(?<![\p{L}-])(${wrong.join("|")})(?![\p{L}-])`, "iu");
    expect(breaking((es) => pattern.test(es.replaceAll(/\{\{\w+\}\}|«[^»]*»/g, "")))).toEqual([]);
  });

  it("every text has correct punctuation [UI-225]", () => {
    const faults = [
      /\.\.(?!\.)/, // two full stops
      / [,.;:!?]/, // a space before a sign
      /\( | \)/, // a space inside parentheses
      /"/, // straight quotes: «…»
      /\{\{\w*(size|bytes)\}\} bytes?\b/,
      / {2}/,
      /^\s|\s$/,
    ];
    expect(breaking((es) => faults.some((fault) => fault.test(es)))).toEqual([]);
    const openings = (es: string, sign: string) => es.split(sign).length;
    expect(
      breaking((es) => openings(es, "¿") !== openings(es, "?") || openings(es, "¡") !== openings(es, "!")),
    ).toEqual([]);
  });

  it("the text of a setting or an action begins with a capital letter [UI-225]", () => {
    const named = /^settings\/|system\.auditAction/;
    expect(breaking((es, text) => named.test(place(text)) && !/^\p{Lu}/u.test(es))).toEqual([]);
  });

  it("every action of the audit log has a text [UI-223]", () => {
    const known = new Set(texts.map(({ key }) => key));
    const missing = AuditAction.options.filter((action) => !known.has(`system.auditAction.${action}`));
    expect(missing).toEqual([]);
  });

  it("every explained log line is one that the hub writes [UI-223]", () => {
    const root = path.resolve(import.meta.dirname, "..", "hub");
    const source = sourceOf(root);
    expect(Object.keys(logMessages).filter((line) => !source.includes(`"${line}"`))).toEqual([]);
  });
});

function sourceOf(folder: string): string {
  const files = globSync("**/*.ts", { cwd: folder, exclude: ["**/node_modules/**", "**/dist/**", "test/**"] });
  return files.map((file) => readFileSync(path.join(folder, file), "utf8")).join("\n");
}
