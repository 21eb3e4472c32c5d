import descriptor from "../package.json" with { type: "json" };

/** What this library tells the hub as the terminal's version, unless the application has one of its own. */
export const libraryVersion: string = descriptor.version;
