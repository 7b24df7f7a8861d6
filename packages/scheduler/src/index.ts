export type { Plugin, PluginContext, Verdict } from "./framework/framework.ts";
export { builtinPlugins } from "./plugins/builtins.ts";
export { type SchedulerOptions, scheduler } from "./scheduler.ts";
