/**
 * The back-office as its callers see it: the JSON-RPC session endpoints under `/web` and the POS API under `/pos-api/v1`.
 * Requests and answers allow extra fields, because clients other than ours send them too. Money is a JSON number in the
 * currency's unit; compare it in cents, never as a float.
 */
export * from "./back-office/json-rpc.ts";
export * from "./back-office/sign-in.ts";
export * from "./back-office/bootstrap.ts";
export * from "./back-office/floor-plan.ts";
export * from "./back-office/orders.ts";
export * from "./back-office/payments.ts";
export * from "./back-office/fiscal-numbers.ts";
export * from "./back-office/hub-orders.ts";
