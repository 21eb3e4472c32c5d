import descriptor from "../package.json" with { type: "json" };

/** The version that the hub gets unless the application has its own. */
export const libraryVersion: string = descriptor.version;
