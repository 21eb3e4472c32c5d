import { useLocation } from "wouter";

/** Returns the path of the header's sign-in: the current screen. Service needs no sign-in, so Orders replaces it. */
export function useSignInPath(): string {
  const [path] = useLocation();
  return path === "/" ? "/orders" : path;
}
