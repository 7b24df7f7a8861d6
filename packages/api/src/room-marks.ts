import { BugError } from "@binnacle/base";
import { marks as admissionregistration_mutatingadmissionpolicy } from "./admissionregistration/mutatingadmissionpolicy/schema.ts";
import { marks as admissionregistration_mutatingadmissionpolicybinding } from "./admissionregistration/mutatingadmissionpolicybinding/schema.ts";
import { marks as admissionregistration_mutatingwebhookconfiguration } from "./admissionregistration/mutatingwebhookconfiguration/schema.ts";
import { marks as admissionregistration_validatingadmissionpolicy } from "./admissionregistration/validatingadmissionpolicy/schema.ts";
import { marks as admissionregistration_validatingadmissionpolicybinding } from "./admissionregistration/validatingadmissionpolicybinding/schema.ts";
import { marks as admissionregistration_validatingwebhookconfiguration } from "./admissionregistration/validatingwebhookconfiguration/schema.ts";
import { marks as apiextensions_customresourcedefinition } from "./apiextensions/customresourcedefinition/schema.ts";
import { marks as apiregistration_apiservice } from "./apiregistration/apiservice/schema.ts";
import { marks as apps_controllerrevision } from "./apps/controllerrevision/schema.ts";
import { marks as apps_daemonset } from "./apps/daemonset/schema.ts";
import { marks as apps_deployment } from "./apps/deployment/schema.ts";
import { marks as apps_replicaset } from "./apps/replicaset/schema.ts";
import { marks as apps_statefulset } from "./apps/statefulset/schema.ts";
import { marks as authentication_selfsubjectreview } from "./authentication/selfsubjectreview/schema.ts";
import { marks as authentication_tokenrequest } from "./authentication/tokenrequest/schema.ts";
import { marks as authentication_tokenreview } from "./authentication/tokenreview/schema.ts";
import { marks as autoscaling_horizontalpodautoscaler } from "./autoscaling/horizontalpodautoscaler/schema.ts";
import { marks as batch_cronjob } from "./batch/cronjob/schema.ts";
import { marks as batch_job } from "./batch/job/schema.ts";
import { marks as certificates_certificatesigningrequest } from "./certificates/certificatesigningrequest/schema.ts";
import { marks as coordination_lease } from "./coordination/lease/schema.ts";
import { marks as core_componentstatus } from "./core/componentstatus/schema.ts";
import { marks as core_configmap } from "./core/configmap/schema.ts";
import { marks as core_endpoints } from "./core/endpoints/schema.ts";
import { marks as core_event } from "./core/event/schema.ts";
import { marks as core_namespace } from "./core/namespace/schema.ts";
import { marks as core_node } from "./core/node/schema.ts";
import { marks as core_persistentvolume } from "./core/persistentvolume/schema.ts";
import { marks as core_persistentvolumeclaim } from "./core/persistentvolumeclaim/schema.ts";
import { marks as core_pod } from "./core/pod/schema.ts";
import { marks as core_podtemplate } from "./core/podtemplate/schema.ts";
import { marks as core_replicationcontroller } from "./core/replicationcontroller/schema.ts";
import { marks as core_resourcequota } from "./core/resourcequota/schema.ts";
import { marks as core_secret } from "./core/secret/schema.ts";
import { marks as core_service } from "./core/service/schema.ts";
import { marks as core_serviceaccount } from "./core/serviceaccount/schema.ts";
import { marks as discovery_endpointslice } from "./discovery/endpointslice/schema.ts";
import { marks as flowcontrol_flowschema } from "./flowcontrol/flowschema/schema.ts";
import { marks as flowcontrol_prioritylevelconfiguration } from "./flowcontrol/prioritylevelconfiguration/schema.ts";
import { marks as meta } from "./meta/schema.ts";
import { marks as networking_ingress } from "./networking/ingress/schema.ts";
import { marks as networking_ingressclass } from "./networking/ingressclass/schema.ts";
import { marks as networking_ipaddress } from "./networking/ipaddress/schema.ts";
import { marks as networking_networkpolicy } from "./networking/networkpolicy/schema.ts";
import { marks as networking_servicecidr } from "./networking/servicecidr/schema.ts";
import { marks as node_runtimeclass } from "./node/runtimeclass/schema.ts";
import { marks as policy_poddisruptionbudget } from "./policy/poddisruptionbudget/schema.ts";
import { marks as rbac_clusterrole } from "./rbac/clusterrole/schema.ts";
import { marks as rbac_clusterrolebinding } from "./rbac/clusterrolebinding/schema.ts";
import { marks as rbac_role } from "./rbac/role/schema.ts";
import { marks as resource_deviceclass } from "./resource/deviceclass/schema.ts";
import { marks as resource_resourceclaim } from "./resource/resourceclaim/schema.ts";
import { marks as resource_resourceclaimtemplate } from "./resource/resourceclaimtemplate/schema.ts";
import { marks as resource_resourceslice } from "./resource/resourceslice/schema.ts";
import { marks as scheduling_priorityclass } from "./scheduling/priorityclass/schema.ts";
import type { SchemaMarks } from "./schema-marks.ts";
import { marks as storage_csidriver } from "./storage/csidriver/schema.ts";
import { marks as storage_csinode } from "./storage/csinode/schema.ts";
import { marks as storage_storageclass } from "./storage/storageclass/schema.ts";
import { marks as storage_volumeattachment } from "./storage/volumeattachment/schema.ts";

/** The marks of every room. A new room is added here. */
const rooms: readonly SchemaMarks[] = [
  admissionregistration_mutatingadmissionpolicy,
  admissionregistration_mutatingadmissionpolicybinding,
  admissionregistration_mutatingwebhookconfiguration,
  admissionregistration_validatingadmissionpolicy,
  admissionregistration_validatingadmissionpolicybinding,
  admissionregistration_validatingwebhookconfiguration,
  apiextensions_customresourcedefinition,
  apiregistration_apiservice,
  apps_controllerrevision,
  apps_daemonset,
  apps_deployment,
  apps_replicaset,
  apps_statefulset,
  authentication_selfsubjectreview,
  authentication_tokenrequest,
  authentication_tokenreview,
  autoscaling_horizontalpodautoscaler,
  batch_cronjob,
  batch_job,
  certificates_certificatesigningrequest,
  coordination_lease,
  core_componentstatus,
  core_configmap,
  core_endpoints,
  core_event,
  core_namespace,
  core_node,
  core_persistentvolume,
  core_persistentvolumeclaim,
  core_pod,
  core_podtemplate,
  core_replicationcontroller,
  core_resourcequota,
  core_secret,
  core_service,
  core_serviceaccount,
  discovery_endpointslice,
  flowcontrol_flowschema,
  flowcontrol_prioritylevelconfiguration,
  meta,
  networking_ingress,
  networking_ingressclass,
  networking_ipaddress,
  networking_networkpolicy,
  networking_servicecidr,
  node_runtimeclass,
  policy_poddisruptionbudget,
  rbac_clusterrole,
  rbac_clusterrolebinding,
  rbac_role,
  resource_deviceclass,
  resource_resourceclaim,
  resource_resourceclaimtemplate,
  resource_resourceslice,
  scheduling_priorityclass,
  storage_csidriver,
  storage_csinode,
  storage_storageclass,
  storage_volumeattachment,
];

/** The marks of one type: by field, `.` for the type itself. Undefined: none. */
export function marksOf(packageName: string, type: string): Readonly<Record<string, string>> | undefined {
  index ??= buildIndex();
  return index.get(`${packageName}.${type}`);
}

/** Every marked type, such as `core.v1.PodSpec`. */
export function markedTypes(): readonly string[] {
  index ??= buildIndex();
  return [...index.keys()];
}

let index: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined; // A cache: built once, never changed.

function buildIndex(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const types = new Map<string, Readonly<Record<string, string>>>();
  for (const room of rooms) {
    for (const [packageName, marked] of Object.entries(room)) {
      for (const [type, fields] of Object.entries(marked)) {
        const name = `${packageName}.${type}`;
        if (types.has(name)) throw new BugError(`${name} is marked in two rooms`);
        types.set(name, fields);
      }
    }
  }
  return types;
}
