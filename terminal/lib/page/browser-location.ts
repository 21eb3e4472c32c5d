// Replaces the router's default location hooks, under their names there (vite.config.ts): the page routes by hash, and the
// router's own hook is not loaded.
export { useHashLocation as useBrowserLocation } from "wouter/use-hash-location";
export const useSearch = (): string => "";
