export { builtinControllers } from "./builtins.ts";
