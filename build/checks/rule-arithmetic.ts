// Finds arithmetic with money and kitchen quantities outside the rulebook, where it would duplicate a rule.
import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";

const product = ["protocol", "clients", "hub", "updater", "electron", "ui", "renderer", "terminal", "backoffice-stub"];
const notProduct = ["**/{node_modules,dist,test,build}", "**/*.{test,spec}.{ts,tsx}"];

const hundreds = "(?:100|1_?000|10_?000|SCALE)";
const amount = "(?:amount|cents|price|paid|due|tip|tax)s?";

const kitchenFields = "(?:sent|prepared|cancelled|voided|sentVoided)Quantity";

/** Patterns of rounding, scaling and adding amounts, and of adding and subtracting kitchen quantities. */
const arithmetic: [RegExp, string][] = [
  [new RegExp(`Math\\.(?:round|floor|ceil|trunc)\\(.*\\* ?${hundreds}\\) ?/ ?${hundreds}\\b`), "rounds to decimals"],
  [/\.toFixed\(/, "rounds to decimals"],
  [new RegExp(`${amount}\\b[)\\]]* ?[*/] ?${hundreds}\\b`, "i"), "makes units of an amount"],
  [/=> \w+ \+ (?:\w+\.)*(?:amount|price|subtotal|tip)\b(?!\()/, "sums amounts as binary fractions"],
  [new RegExp(`\\b${kitchenFields}\\b[^;,(]{0,8} [-+] `), "reckons with what the kitchen has"],
  [new RegExp(` [-+] [\\w.(?]*${kitchenFields}\\b`), "reckons with what the kitchen has"],
];

/** Files where such arithmetic is not a rule, with the reason. An entry that is not needed fails the check. */
const allowed: Record<string, string> = {
  "hub/forwarding/event-outcomes.ts": "words of a refusal",
  "hub/learned/sold-products.ts": "a share of sales, no amount",
  "terminal/checks/search-texts.ts": "a total as it is searched for",
};

/** Returns a sentence per place below `root`, and per exception that is no longer needed. */
export function ruleArithmeticIn(root: string, exceptions: Readonly<Record<string, string>> = allowed): string[] {
  const unused = new Set(Object.keys(exceptions));
  const sources = globSync(`{${product.join()}}/**/*.{ts,tsx}`, { cwd: root, exclude: notProduct });
  const found = sources.flatMap((source) => {
    const file = source.replaceAll(path.sep, "/");
    return placesIn(readFileSync(path.join(root, file), "utf8")).flatMap(({ line, violation }) => {
      if (!(file in exceptions)) return [`${file}:${line} ${violation}: let the rulebook (rules/) do it`];
      unused.delete(file);
      return [];
    });
  });
  const stale = [...unused].filter((file) => existsSync(path.join(root, path.dirname(file))));
  return [...found, ...stale.map((file) => `${file} needs no exception in build/checks/rule-arithmetic.ts`)];
}

function placesIn(source: string): { line: number; violation: string }[] {
  return source.split("\n").flatMap((text, index) => {
    const code = text.replace(/"[^"]*"|^\s*\/?\*.*|\/\/.*/g, "");
    const violation = arithmetic.find(([pattern]) => pattern.test(code))?.[1];
    return violation === undefined ? [] : [{ line: index + 1, violation }];
  });
}
