import { useHub } from "../../lib/hub.ts";

/** What a payment method is called; its id where the back-office has it no more. */
export function useMethodName(): (methodId: string | number) => string {
  const names = useHub("catalogue").data?.paymentMethods;
  return (methodId) => names?.[String(methodId)] ?? String(methodId);
}
