// What the router does where nothing else is said, under the names that it has there (vite.config.ts): this page's addresses
// stand behind the #, and its own way to follow the others is not loaded.
export { useHashLocation as useBrowserLocation } from "wouter/use-hash-location";
export const useSearch = (): string => "";
