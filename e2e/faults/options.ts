/** Options of the suite. */
export interface FaultOptions {
  only: readonly string[] | null;
  seed: string;
  isShort: boolean;
  /** Rounds of each part; null for the part's own number. */
  rounds: number | null;
  /** Runs only this round; null for all. */
  round: number | null;
}

export function faultsHelp(parts: readonly string[]): string {
  return `npm run test:faults [-- options]

  --only PART,PART   only these of: ${parts.join(", ")}
  --cases N          so many rounds of each part
  --seed TEXT        the chance of an earlier run again
  --round N          this round alone, as an earlier run named it
  --short            the rounds that npm run test:all runs

The same seed chooses the same faults; what happens at the same time may fall out differently.
`;
}

/** Parses the options. Throws an Error with a plain sentence for an invalid one. */
export function readFaultOptions(args: readonly string[], parts: readonly string[]): FaultOptions {
  const options: FaultOptions = {
    only: null,
    seed: String(Math.floor(Math.random() * 1_000_000)),
    isShort: false,
    rounds: null,
    round: null,
  };
  const rest = [...args];
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === "--short") {
      options.isShort = true;
      continue;
    }
    if (!["--only", "--cases", "--seed", "--round"].includes(name)) {
      throw new Error(`${name} is no option of the fault tests.\n\n${faultsHelp(parts)}`);
    }
    const value = rest.shift();
    if (value === undefined) throw new Error(`${name} needs a value.\n\n${faultsHelp(parts)}`);
    if (name === "--seed") options.seed = value;
    if (name === "--only") options.only = value.split(",");
    if (name === "--cases") options.rounds = wholeNumber(name, value);
    if (name === "--round") options.round = wholeNumber(name, value);
  }
  const unknown = options.only?.find((name) => !parts.includes(name));
  if (unknown !== undefined) throw new Error(`${unknown} is no part of the fault tests: ${parts.join(", ")}`);
  return options;
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`${name} is "${text}", but must be a whole number`);
  return Number(text);
}
