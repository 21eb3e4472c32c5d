/** A bridge: its name in the page, and the main process's function for each method. */
export interface Bridge {
  name: string;
  api: object;
  /** The channel of each subscription, by its name in the page. */
  pushes: Readonly<Record<string, string>>;
}

type Offer = Pick<Bridge, "name" | "pushes"> & { methods: readonly string[] };

const prefix = "--comanda-bridge=";

/**
 * What a window tells its preload script, which knows neither the app nor its schemas: what to offer the page. It travels on
 * a command line, where each system has its own way with the quotes of JSON.
 */
export function offerArgument({ name, api, pushes }: Bridge): string {
  const offer: Offer = { name, methods: Object.keys(api), pushes };
  return prefix + encodeURIComponent(JSON.stringify(offer));
}

export function readOffer(args: readonly string[]): Offer {
  const argument = args.find((each) => each.startsWith(prefix)) ?? "";
  return JSON.parse(decodeURIComponent(argument.slice(prefix.length))) as Offer;
}
