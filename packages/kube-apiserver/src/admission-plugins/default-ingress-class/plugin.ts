import type { Ingress, IngressClass } from "@binnacle/api";
import type { AdmissionPlugin } from "@binnacle/apiserver";
import { listObjects } from "../lookup.ts";

const IS_DEFAULT = "ingressclass.kubernetes.io/is-default-class";
const CLASS_ANNOTATION = "kubernetes.io/ingress.class";

/**
 * Gives an ingress without a class the default class: of several, the newest.
 *
 * Source: kubernetes v1.36 plugin/pkg/admission/network/defaultingressclass/admission.go.
 */
export const defaultIngressClass: AdmissionPlugin = {
  name: "DefaultIngressClass",
  operations: ["CREATE"],
  mutate({ served, subresource, object }, core) {
    if (served.group !== "networking.k8s.io" || served.resource !== "ingresses" || subresource !== "") return;
    const ingress = object as unknown as Ingress; // Decoded as an Ingress.
    if (ingress.spec?.ingressClassName !== undefined) return;
    if (ingress.metadata.annotations?.[CLASS_ANNOTATION] !== undefined) return;
    const classes = listObjects<IngressClass>(core, {
      group: "networking.k8s.io",
      resource: "ingressclasses",
    });
    const [chosen] = classes
      .filter(({ metadata }) => metadata.annotations?.[IS_DEFAULT] === "true")
      .sort((a, b) => ((a.metadata.creationTimestamp ?? "") < (b.metadata.creationTimestamp ?? "") ? 1 : -1));
    if (chosen === undefined) return;
    ingress.spec ??= {};
    ingress.spec.ingressClassName = chosen.metadata.name ?? "";
  },
};
