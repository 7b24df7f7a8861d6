import { isAlreadyExists, isNotFound, type KubeObject } from "@binnacle/apimachinery";
import { jsonEquals } from "@binnacle/base";
import {
  type ControllerDefinition,
  controllerFor,
  done,
  enqueueMapped,
  isTerminating,
  objectMatches,
} from "@binnacle/controller-runtime";
import { isNamespaceTerminating } from "../../pod-control/pod-from-template.ts";
import { configMaps, namespaces } from "../../resource-types.ts";

const NAME = "kube-root-ca.crt";
const DESCRIPTION_ANNOTATION = "kubernetes.io/description";
/** Shown to users by the API, word for word as upstream has it. */
const DESCRIPTION =
  "Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the " +
  "internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes " +
  "clusters.";

/**
 * Gives every namespace a ConfigMap with the certificates (PEM) that pods verify the API server by.
 *
 * Source: kubernetes v1.36 pkg/controller/certificates/rootcacertpublisher/publisher.go.
 */
export function rootCaPublisher(certificateAuthority: string): ControllerDefinition {
  const data = { "ca.crt": certificateAuthority };
  return controllerFor(namespaces)
    .named("root-ca-certificate-publisher")
    .watches(
      configMaps,
      enqueueMapped(({ metadata }: KubeObject) => [{ name: metadata.namespace ?? "" }]),
      objectMatches(({ metadata }) => metadata.name === NAME),
    )
    .reconcile(async ({ name }, { client, cache }) => {
      const namespace = cache.get(namespaces, { name });
      if (namespace === undefined || isTerminating(namespace)) return done;
      const key = { namespace: name, name: NAME };
      const present = cache.get(configMaps, key);
      try {
        if (present === undefined) {
          const metadata = { ...key, annotations: { [DESCRIPTION_ANNOTATION]: DESCRIPTION } };
          await client.create(configMaps, { metadata, data });
        } else if (
          !jsonEquals(present.data, data) ||
          present.metadata.annotations?.[DESCRIPTION_ANNOTATION] === undefined
        ) {
          const annotations = { ...present.metadata.annotations, [DESCRIPTION_ANNOTATION]: DESCRIPTION };
          await client.update(configMaps, {
            ...present,
            metadata: { ...present.metadata, annotations },
            data,
          });
        }
      } catch (error) {
        if (!isAlreadyExists(error) && !isNotFound(error) && !isNamespaceTerminating(error)) throw error;
      }
      return done;
    });
}
