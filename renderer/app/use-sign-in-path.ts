import { useLocation } from "wouter";

/** Where the header's sign-in leads: the screen that was asked for stays the one that opens. Service asks for none. */
export function useSignInPath(): string {
  const [path] = useLocation();
  return path === "/" ? "/orders" : path;
}
