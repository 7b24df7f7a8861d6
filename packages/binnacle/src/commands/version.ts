import { KUBERNETES_VERSION } from "@binnacle/kube-apiserver";
import { Command } from "commander";
import type { Terminal } from "../terminal.ts";
import { BINNACLE_VERSION } from "../version.ts";

/** `binnacle version`: this program's version and the Kubernetes version it serves. */
export function versionCommand(terminal: Terminal): Command {
  return new Command("version")
    .description("Print the versions of this program and of the Kubernetes it serves.")
    .addHelpText("after", "\nExample:\n  binnacle version\n")
    .action(() => {
      terminal.out(`binnacle ${BINNACLE_VERSION}\nkubernetes ${KUBERNETES_VERSION.gitVersion}\n`);
    });
}
