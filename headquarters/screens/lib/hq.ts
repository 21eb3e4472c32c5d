import type { z } from "zod";
import type { HqRoutes } from "@comanda/protocol/headquarters-routes.ts";

/** An answer of headquarters that says no, or none at all: `OFFLINE`. */
export class HqFailure extends Error {
  override readonly name = "HqFailure";
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

type RouteName = keyof HqRoutes;
export type AnswerOf<N extends RouteName> = HqRoutes[N] extends { answer: infer S extends z.ZodType }
  ? z.output<S>
  : never;
export type BodyOf<N extends RouteName> = HqRoutes[N] extends { body: infer S extends z.ZodType } ? z.input<S> : never;
export type QueryOf<N extends RouteName> = HqRoutes[N] extends { query: infer S extends z.ZodType }
  ? z.input<S>
  : never;

const WAIT_MS = 20_000;

async function call<N extends RouteName>(method: string, path: string, body?: BodyOf<N>): Promise<AnswerOf<N>> {
  let response: Response;
  try {
    response = await fetch(`./hq/v1${path}`, {
      method,
      signal: AbortSignal.timeout(WAIT_MS),
      ...(body === undefined ? {} : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new HqFailure("OFFLINE", "headquarters do not answer");
  }
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as AnswerOf<N>;
  const { errorCode = "OFFLINE", error = "" } = (answer ?? {}) as { errorCode?: string; error?: string };
  throw new HqFailure(errorCode, error);
}

/** What is empty is not asked for. */
const query = (values: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
const at = encodeURIComponent;

/** The routes of headquarters that the screens call. */
export const hq = {
  session: () => call<"session">("GET", "/session"),
  setUp: (body: BodyOf<"setUp">) => call<"setUp">("POST", "/setup", body),
  signIn: (body: BodyOf<"signIn">) => call<"signIn">("POST", "/session", body),
  signOut: () => call<"signOut">("DELETE", "/session"),
  changePassword: (body: BodyOf<"changePassword">) => call<"changePassword">("POST", "/session/password", body),
  now: () => call<"now">("GET", "/now"),
  sales: (values: QueryOf<"sales">) => call<"sales">("GET", `/sales?${query(values)}`),
  alerts: () => call<"alerts">("GET", "/alerts"),
  takeAlert: (id: string, isTaken: boolean) => call<"takeAlert">("POST", `/alerts/${at(id)}/take`, { isTaken }),
  groups: () => call<"groups">("GET", "/groups"),
  addRestaurant: (body: BodyOf<"addRestaurant">) => call<"addRestaurant">("POST", "/restaurants", body),
  restaurant: (id: string) => call<"restaurant">("GET", `/restaurants/${at(id)}`),
  changeRestaurant: (id: string, body: BodyOf<"changeRestaurant">) =>
    call<"changeRestaurant">("PATCH", `/restaurants/${at(id)}`, body),
  enrolmentCode: (id: string) => call<"enrolmentCode">("POST", `/restaurants/${at(id)}/enrolment-code`),
  cutHub: (id: string, values: QueryOf<"cutHub">) =>
    call<"cutHub">("DELETE", `/restaurants/${at(id)}/hub?${query(values)}`),
  check: (id: string, values: QueryOf<"check">) =>
    call<"check">("GET", `/restaurants/${at(id)}/check?${query(values)}`),
  doctor: (id: string) => call<"doctor">("GET", `/restaurants/${at(id)}/doctor`),
  logs: (id: string) => call<"logs">("GET", `/restaurants/${at(id)}/logs`),
  people: () => call<"people">("GET", "/people"),
  addPerson: (body: BodyOf<"addPerson">) => call<"addPerson">("POST", "/people", body),
  changePerson: (id: string, body: BodyOf<"changePerson">) => call<"changePerson">("PATCH", `/people/${at(id)}`, body),
  products: () => call<"products">("GET", "/products"),
  proposals: () => call<"proposals">("GET", "/proposals"),
  proposal: (id: string) => call<"proposal">("GET", `/proposals/${at(id)}`),
  propose: (body: BodyOf<"propose">) => call<"propose">("POST", "/proposals", body),
  undoProposal: (id: string) => call<"undoProposal">("POST", `/proposals/${at(id)}/undo`),
  withdrawProposal: (id: string) => call<"withdrawProposal">("POST", `/proposals/${at(id)}/withdraw`),
};
