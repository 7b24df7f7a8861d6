export { type BuiltinOptions, builtinControllers } from "./builtins.ts";
export { SIMULATED_PROVISIONER } from "./core/persistentvolumeclaim/provision.ts";
