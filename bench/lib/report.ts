import { type Figure, reached } from "./figure.ts";

/** Renders the table at the end of a run. */
export function renderReport(figures: readonly Figure[]): string {
  const head = ["figure", "ours", "beside it", "ratio", "goal: must / aim", "reached"];
  const rows = figures.map((line) => [
    `${line.text} [${line.unit}]`,
    shown(line.ours),
    line.beside === undefined ? "" : `${shown(line.beside.value)} (${line.beside.name})`,
    line.ratio === undefined ? "" : shown(line.ratio),
    goalText(line),
    reachedText(line),
  ]);
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const render = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [render(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(render)].join("\n");
}

/** Renders figures that are compared with one other thing as a Markdown table. */
export function renderMarkdown(figures: readonly Figure[], columns: { beside: string; ours: string }): string {
  const rows = figures.map((line) => [
    `${line.text} [${line.unit}]`,
    line.beside === undefined ? "" : shown(line.beside.value),
    shown(line.ours),
    line.ratio === undefined ? "" : shown(line.ratio),
    goalText(line),
    reachedText(line),
  ]);
  const head = ["", columns.beside, columns.ours, "ratio", "goal", "reached"];
  return [head, ["---", "---:", "---:", "---:", "---", "---"], ...rows]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

function goalText({ goal }: Figure): string {
  if (goal === undefined) return "";
  const sign = goal.is === "at least" ? "≥" : "≤";
  const suffix = goal.of === "ratio" ? "×" : "";
  return `${sign} ${goal.must}${suffix}${goal.aim === undefined ? "" : ` / ${goal.aim}${suffix}`}`;
}

function reachedText(line: Figure): string {
  const how = reached(line);
  if (how === "no goal") return "";
  return how === "aim" ? "yes" : how === "must" ? "must, not the aim" : how;
}

function shown(value: number): string {
  if (Number.isNaN(value)) return "?";
  const size = Math.abs(value);
  return size >= 1000 ? Math.round(value).toLocaleString("en-US") : size >= 100 ? value.toFixed(0) : value.toFixed(2);
}
