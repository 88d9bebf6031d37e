export * from "./client.js";
export * from "./problem.js";
export type { components, operations } from "./schema.js";
