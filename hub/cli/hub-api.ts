import {
  type HealthReport,
  HubIdentity,
  type HttpRoute,
  type OperatorRouteName,
  operatorRoutes,
  type Overview,
  terminalPaths,
} from "@comanda/protocol";
import type { z } from "zod";
import { reachableHost } from "../platform/loopback.ts";
import { type CommandContext, CommandError, exitCode } from "./command.ts";

type Routes = typeof operatorRoutes;
type Output<N extends OperatorRouteName> = Routes[N] extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : unknown;

export interface HubInput {
  params?: Record<string, string>;
  body?: unknown;
}

export type HubApi = ReturnType<typeof hubApi>;

/** Creates a client for a running hub. Throws CommandErrors. */
export function hubApi(context: CommandContext) {
  const base = addressOf(context);
  let token: Promise<string> | null = null;

  async function send(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<unknown> {
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
        body: body === undefined ? null : JSON.stringify(body),
      });
      const answer = (await response.json()) as Record<string, unknown>;
      if (response.ok) return answer;
      const isTemporary = response.status === 503 || response.status === 429;
      const sentence = `The hub refused: ${String(answer["error"])} (${String(answer["errorCode"])}).`;
      throw new CommandError(isTemporary ? exitCode.tryLater : exitCode.failed, sentence);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(exitCode.tryLater, `No hub answers at ${base}; start it with: npm run hub`);
    }
  }

  async function signIn(): Promise<string> {
    // The hub's own account is never sent to an address from --url.
    const credentials = context.options.url === undefined ? context.config().backOffice.credentials : null;
    const login = context.options.login ?? credentials?.user;
    const password =
      context.options.password ?? (context.options.login === undefined ? credentials?.password : undefined);
    if (login === undefined || password === undefined) {
      throw new CommandError(
        exitCode.usage,
        "Sign in with --login NAME --password PASSWORD (a manager of the back-office).",
      );
    }
    const { path } = operatorRoutes.signIn;
    const answer = operatorRoutes.signIn.answer.parse(await send("POST", path, {}, { login, password }));
    return answer.token;
  }

  return {
    /** Base address of the hub, such as `http://127.0.0.1:8766`. */
    address: base,
    health: async () => (await send("GET", "/health", {})) as HealthReport,
    /** Resolves to null if no hub answers. */
    identity: () =>
      send("GET", terminalPaths.hub[1], {})
        .then(HubIdentity.parse)
        .catch(() => null),
    /** Reads what anyone on the network may see. */
    overview: async (): Promise<Overview> =>
      operatorRoutes.overview.answer.parse(await send("GET", operatorRoutes.overview.path, {})),
    /** Calls a route of the operator API, signed in as --login or with the hub's own back-office account. */
    async call<N extends OperatorRouteName>(name: N, input: HubInput = {}): Promise<Output<N>> {
      const route: HttpRoute = operatorRoutes[name];
      token ??= signIn();
      const path = route.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(input.params?.[key] ?? ""));
      const answer = await send(route.method, path, { authorization: `Bearer ${await token}` }, input.body);
      return route.answer?.parse(answer) as never;
    },
  };
}

function addressOf({ options, config }: CommandContext): string {
  if (options.url !== undefined) return options.url.replace(/\/+$/, "");
  const { host, port } = config();
  return `http://${reachableHost(host)}:${port}`;
}
