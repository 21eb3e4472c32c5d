import { median } from "./statistics.ts";

/** What a figure is judged by: its own value, or its ratio to the figure that it is compared with. */
export interface Goal {
  of: "ratio" | "value";
  is: "at least" | "at most";
  must: number;
  aim?: number;
}

/** One line of the report: medians over the rounds. */
export interface Figure {
  id: string;
  text: string;
  unit: string;
  ours: number;
  /** The compared figure; absent if the value itself is judged. */
  beside?: { name: string; value: number };
  ratio?: number;
  goal?: Goal;
  rounds: { ours: readonly number[]; beside?: readonly number[] };
}

export interface FigureInput {
  id: string;
  text: string;
  unit: string;
  ours: readonly number[];
  beside?: { name: string; values: readonly number[] };
  goal?: Goal;
  /** A cost: its ratio is inverted, so that a higher ratio is always better. */
  isCost?: boolean;
}

/** Computes a figure from its rounds. The ratio is the median of the rounds' own ratios, whose two sides ran side by side. */
export function figure(input: FigureInput): Figure {
  const { id, text, unit, ours, beside, goal, isCost = false } = input;
  const ratios = beside?.values.flatMap((value, round) => {
    const own = ours[round];
    return own === undefined ? [] : [isCost ? value / own : own / value];
  });
  return {
    id,
    text,
    unit,
    ours: median(ours),
    ...(beside !== undefined && { beside: { name: beside.name, value: median(beside.values) } }),
    ...(ratios !== undefined && { ratio: median(ratios) }),
    ...(goal !== undefined && { goal }),
    rounds: { ours, ...(beside !== undefined && { beside: beside.values }) },
  };
}

export type Reached = "aim" | "must" | "no" | "not measured" | "no goal";

/** Returns which part of its goal a figure reached; a figure without a number never counts as reached. */
export function reached({ goal, ratio, ours }: Figure): Reached {
  if (goal === undefined) return "no goal";
  const value = goal.of === "ratio" ? (ratio ?? Number.NaN) : ours;
  if (Number.isNaN(value)) return "not measured";
  const holds = (bound: number): boolean => (goal.is === "at least" ? value >= bound : value <= bound);
  if (!holds(goal.must)) return "no";
  return goal.aim === undefined || holds(goal.aim) ? "aim" : "must";
}
