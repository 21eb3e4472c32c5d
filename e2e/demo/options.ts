/** Options of the demo. */
export interface DemoOptions {
  /** Speed factor; at 1 a service takes about a minute and a half. */
  speed: number;
  killHub: boolean;
  killBackOffice: boolean;
  /** Listens on the network, so that phones can join; only the demo's own checks are reconciled. */
  phones: boolean;
  /** Keeps everything running after the reconciliation, until Ctrl-C. */
  stay: boolean;
  /** Runs three restaurants and their headquarters instead of one restaurant's evening. */
  chain: boolean;
}

export const demoHelp = `npm run demo [-- options]

  --kill-hub          kill the hub with SIGKILL in the middle and start it again   (or DEMO_KILL_HUB=1)
  --kill-backoffice   the same with the back-office                                (or DEMO_KILL_BACKOFFICE=1)
  --phones            let phones and tablets of this network join the evening
  --chain             three restaurants and their headquarters: one loses the line, one comes back from a backup
  --stay              keep everything running at the end, until Ctrl-C
  DEMO_SPEED=20       run 20 times as fast
`;

/** Parses the options. Throws an Error with a plain sentence for an unknown option or a bad value. */
export function readDemoOptions(args: readonly string[], env: Record<string, string | undefined>): DemoOptions {
  const options = new Set(["--kill-hub", "--kill-backoffice", "--phones", "--stay", "--chain"]);
  const unknownOption = args.find((arg) => !options.has(arg));
  if (unknownOption !== undefined) throw new Error(`${unknownOption} is no option of the demo.\n\n${demoHelp}`);
  const speed = Number(env["DEMO_SPEED"] ?? "1");
  if (!(speed >= 0.1 && speed <= 1_000)) {
    throw new Error(`DEMO_SPEED is "${env["DEMO_SPEED"]}", but must be a number from 0.1 to 1000`);
  }
  return {
    speed,
    killHub: args.includes("--kill-hub") || env["DEMO_KILL_HUB"] === "1",
    killBackOffice: args.includes("--kill-backoffice") || env["DEMO_KILL_BACKOFFICE"] === "1",
    phones: args.includes("--phones"),
    stay: args.includes("--stay"),
    chain: args.includes("--chain"),
  };
}
