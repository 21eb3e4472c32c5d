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
 * Encodes what the preload script must offer the page, as it knows neither the app nor its schemas. It is a command line
 * argument, and systems treat the quotes of JSON differently there, so it is URI-encoded.
 */
export function offerArgument({ name, api, pushes }: Bridge): string {
  const offer: Offer = { name, methods: Object.keys(api), pushes };
  return prefix + encodeURIComponent(JSON.stringify(offer));
}

export function readOffer(args: readonly string[]): Offer {
  const argument = args.find((each) => each.startsWith(prefix)) ?? "";
  return JSON.parse(decodeURIComponent(argument.slice(prefix.length))) as Offer;
}
