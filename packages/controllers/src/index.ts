export { type BuiltinOptions, builtinControllers } from "./builtins.ts";
export { createDefaultStorageClass } from "./core/persistentvolumeclaim/default-class.ts";
