export { type BuiltinOptions, builtinControllers } from "./builtins.ts";
