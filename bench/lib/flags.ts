import { readCommandLine, refuse } from "../../build/command-line.ts";

export interface Flags {
  /** Rounds per figure; every figure is a median over them. */
  rounds: number;
  /** Seconds of load in one round. */
  seconds: number;
  /** Scenarios to run; empty means all. */
  only: readonly string[];
  quick: boolean;
  /** Whether to run on the slowed-down disk as well. */
  slowDisk: boolean;
}

const usage = "npm run bench -- [--rounds N] [--seconds N] [--only writes,latency,…] [--quick] [--no-slow-disk]";

/** Reads the command line. An unknown flag or value prints the usage and ends the program. */
export function readFlags(scenarios: readonly string[]): Flags {
  const { values } = readCommandLine(usage, {
    options: {
      rounds: { type: "string" },
      seconds: { type: "string" },
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      "no-slow-disk": { type: "boolean", default: false },
    },
  });
  const only = values.only?.split(",").filter((name) => name !== "") ?? [];
  const unknown = only.filter((name) => !scenarios.includes(name));
  if (unknown.length > 0) {
    refuse(`no such scenario: ${unknown.join(", ")} (there are ${scenarios.join(", ")})`, usage);
  }
  return {
    rounds: positive("rounds", values.rounds, values.quick ? 1 : 5),
    seconds: positive("seconds", values.seconds, values.quick ? 1 : 2.5),
    only,
    quick: values.quick,
    slowDisk: !values["no-slow-disk"],
  };
}

function positive(flag: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (!(value > 0 && value <= 100)) refuse(`--${flag} ${text}: a number above 0, up to 100`, usage);
  return value;
}
