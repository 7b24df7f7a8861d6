import type { KubeObject, ResourceDefinition } from "@binnacle/apimachinery";
import { mutatingAdmissionPolicies } from "./admissionregistration/mutatingadmissionpolicy/index.ts";
import { mutatingAdmissionPolicyBindings } from "./admissionregistration/mutatingadmissionpolicybinding/index.ts";
import { mutatingWebhookConfigurations } from "./admissionregistration/mutatingwebhookconfiguration/index.ts";
import { validatingAdmissionPolicies } from "./admissionregistration/validatingadmissionpolicy/index.ts";
import { validatingAdmissionPolicyBindings } from "./admissionregistration/validatingadmissionpolicybinding/index.ts";
import { validatingWebhookConfigurations } from "./admissionregistration/validatingwebhookconfiguration/index.ts";
import { customResourceDefinitions } from "./apiextensions/customresourcedefinition/index.ts";
import { apiServices } from "./apiregistration/apiservice/index.ts";
import { controllerRevisions } from "./apps/controllerrevision/index.ts";
import { daemonSets } from "./apps/daemonset/index.ts";
import { deployments } from "./apps/deployment/index.ts";
import { replicaSets } from "./apps/replicaset/index.ts";
import { statefulSets } from "./apps/statefulset/index.ts";
import { selfSubjectReviews } from "./authentication/selfsubjectreview/index.ts";
import { tokenReviews } from "./authentication/tokenreview/index.ts";
import { localSubjectAccessReviews } from "./authorization/localsubjectaccessreview/index.ts";
import { selfSubjectAccessReviews } from "./authorization/selfsubjectaccessreview/index.ts";
import { selfSubjectRulesReviews } from "./authorization/selfsubjectrulesreview/index.ts";
import { subjectAccessReviews } from "./authorization/subjectaccessreview/index.ts";
import { horizontalPodAutoscalers } from "./autoscaling/horizontalpodautoscaler/index.ts";
import { cronJobs } from "./batch/cronjob/index.ts";
import { jobs } from "./batch/job/index.ts";
import { certificateSigningRequests } from "./certificates/certificatesigningrequest/index.ts";
import { leases } from "./coordination/lease/index.ts";
import { bindings } from "./core/binding/index.ts";
import { componentStatuses } from "./core/componentstatus/index.ts";
import { configMaps } from "./core/configmap/index.ts";
import { endpoints } from "./core/endpoints/index.ts";
import { events } from "./core/event/index.ts";
import { limitRanges } from "./core/limitrange/index.ts";
import { namespaces } from "./core/namespace/index.ts";
import { nodes } from "./core/node/index.ts";
import { persistentVolumes } from "./core/persistentvolume/index.ts";
import { persistentVolumeClaims } from "./core/persistentvolumeclaim/index.ts";
import { pods } from "./core/pod/index.ts";
import { podTemplates } from "./core/podtemplate/index.ts";
import { replicationControllers } from "./core/replicationcontroller/index.ts";
import { resourceQuotas } from "./core/resourcequota/index.ts";
import { secrets } from "./core/secret/index.ts";
import { services } from "./core/service/index.ts";
import { serviceAccounts } from "./core/serviceaccount/index.ts";
import { endpointSlices } from "./discovery/endpointslice/index.ts";
import { flowSchemas } from "./flowcontrol/flowschema/index.ts";
import { priorityLevelConfigurations } from "./flowcontrol/prioritylevelconfiguration/index.ts";
import { ingresses } from "./networking/ingress/index.ts";
import { ingressClasses } from "./networking/ingressclass/index.ts";
import { ipAddresses } from "./networking/ipaddress/index.ts";
import { networkPolicies } from "./networking/networkpolicy/index.ts";
import { serviceCidrs } from "./networking/servicecidr/index.ts";
import { runtimeClasses } from "./node/runtimeclass/index.ts";
import { podDisruptionBudgets } from "./policy/poddisruptionbudget/index.ts";
import { clusterRoles } from "./rbac/clusterrole/index.ts";
import { clusterRoleBindings } from "./rbac/clusterrolebinding/index.ts";
import { roles } from "./rbac/role/index.ts";
import { roleBindings } from "./rbac/rolebinding/index.ts";
import { deviceClasses } from "./resource/deviceclass/index.ts";
import { resourceClaims } from "./resource/resourceclaim/index.ts";
import { resourceClaimTemplates } from "./resource/resourceclaimtemplate/index.ts";
import { resourceSlices } from "./resource/resourceslice/index.ts";
import { priorityClasses } from "./scheduling/priorityclass/index.ts";
import { csiDrivers } from "./storage/csidriver/index.ts";
import { csiNodes } from "./storage/csinode/index.ts";
import { csiStorageCapacities } from "./storage/csistoragecapacity/index.ts";
import { storageClasses } from "./storage/storageclass/index.ts";
import { volumeAttachments } from "./storage/volumeattachment/index.ts";
import { volumeAttributesClasses } from "./storage/volumeattributesclass/index.ts";

/** Every built-in resource. The API server serves exactly these, and custom resources. */
export const builtinResources: readonly ResourceDefinition[] = [
  anyKind(apiServices),
  anyKind(bindings),
  anyKind(certificateSigningRequests),
  anyKind(clusterRoleBindings),
  anyKind(clusterRoles),
  anyKind(componentStatuses),
  anyKind(configMaps),
  anyKind(controllerRevisions),
  anyKind(cronJobs),
  anyKind(csiDrivers),
  anyKind(csiNodes),
  anyKind(csiStorageCapacities),
  anyKind(customResourceDefinitions),
  anyKind(daemonSets),
  anyKind(deployments),
  anyKind(deviceClasses),
  anyKind(endpointSlices),
  anyKind(endpoints),
  anyKind(events),
  anyKind(flowSchemas),
  anyKind(horizontalPodAutoscalers),
  anyKind(ingressClasses),
  anyKind(ingresses),
  anyKind(ipAddresses),
  anyKind(jobs),
  anyKind(leases),
  anyKind(limitRanges),
  anyKind(localSubjectAccessReviews),
  anyKind(mutatingAdmissionPolicies),
  anyKind(mutatingAdmissionPolicyBindings),
  anyKind(mutatingWebhookConfigurations),
  anyKind(namespaces),
  anyKind(networkPolicies),
  anyKind(nodes),
  anyKind(persistentVolumeClaims),
  anyKind(persistentVolumes),
  anyKind(podDisruptionBudgets),
  anyKind(podTemplates),
  anyKind(pods),
  anyKind(priorityClasses),
  anyKind(priorityLevelConfigurations),
  anyKind(replicaSets),
  anyKind(replicationControllers),
  anyKind(resourceClaimTemplates),
  anyKind(resourceClaims),
  anyKind(resourceQuotas),
  anyKind(resourceSlices),
  anyKind(roleBindings),
  anyKind(roles),
  anyKind(runtimeClasses),
  anyKind(secrets),
  anyKind(selfSubjectAccessReviews),
  anyKind(selfSubjectReviews),
  anyKind(selfSubjectRulesReviews),
  anyKind(serviceAccounts),
  anyKind(serviceCidrs),
  anyKind(services),
  anyKind(statefulSets),
  anyKind(storageClasses),
  anyKind(subjectAccessReviews),
  anyKind(tokenReviews),
  anyKind(validatingAdmissionPolicies),
  anyKind(validatingAdmissionPolicyBindings),
  anyKind(validatingWebhookConfigurations),
  anyKind(volumeAttachments),
  anyKind(volumeAttributesClasses),
];

/**
 * Forgets the kind. The server calls a definition's functions only with objects that were decoded by its schema, so
 * they always get the type they ask for.
 */
function anyKind<T extends KubeObject>(definition: ResourceDefinition<T>): ResourceDefinition {
  return definition as unknown as ResourceDefinition;
}
