/**
 * Finds a volume for a claim, or has one made.
 *
 * Source: kubernetes v1.36 pkg/controller/volume/persistentvolume/pv_controller.go, syncClaim.
 */
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from "@binnacle/api";
import { isAlreadyExists, isConflict } from "@binnacle/apimachinery";
import { done, isTerminating, type Reconcile, type ReconcileContext } from "@binnacle/controller-runtime";
import { persistentVolumeClaims, persistentVolumes, storageClasses } from "../../resource-types.ts";
import { bind, setClaimPhase } from "./bind.ts";
import { BIND_COMPLETED, BOUND_BY_CONTROLLER, bestVolume, isMeantFor, misfit } from "./matching.ts";
import { provisionedVolume, SIMULATED_PROVISIONER } from "./provision.ts";

const SELECTED_NODE = "volume.kubernetes.io/selected-node";
const STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
const BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";

export const reconcileClaim: Reconcile = async (key, context) => {
  const claim = context.cache.get(persistentVolumeClaims, key);
  if (claim === undefined) return done; // Its volume is told by the volume's own controller.
  if (claim.metadata.annotations?.[BIND_COMPLETED] === undefined) await seekVolume(claim, context);
  else await keepVolume(claim, context);
  return done;
};

/** A claim that has no volume yet. */
async function seekVolume(claim: PersistentVolumeClaim, context: ReconcileContext): Promise<void> {
  if (claim.spec.volumeName !== undefined && claim.spec.volumeName !== "")
    return bindToNamed(claim, claim.spec.volumeName, context);
  const storageClass = storageClassOf(claim, context);
  const mustWait = waitsForPod(claim, storageClass);
  const volumes = context.cache.list(persistentVolumes);
  // A volume that names this claim needs no waiting.
  const volume = bestVolume(claim, mustWait ? volumes.filter((each) => isMeantFor(each, claim)) : volumes);
  if (volume !== undefined) return bind(volume, claim, context);
  if (isTerminating(claim)) return setClaimPhase(claim, "Pending", context);
  const say = (reason: string, message: string): void =>
    context.recorder.event(persistentVolumeClaims, claim, "Normal", reason, message);
  if (mustWait) {
    say("WaitForFirstConsumer", "waiting for first consumer to be created before binding");
  } else if ((claim.spec.storageClassName ?? "") === "") {
    say("FailedBinding", "no persistent volumes available for this claim and no storage class is set");
  } else if (storageClass === undefined) {
    const message = `storageclass.storage.k8s.io "${claim.spec.storageClassName}" not found`;
    context.recorder.event(persistentVolumeClaims, claim, "Warning", "ProvisioningFailed", message);
  } else if (storageClass.provisioner !== "kubernetes.io/no-provisioner") {
    return provision(claim, storageClass, context);
  }
  await setClaimPhase(claim, "Pending", context);
}

/** The claim asks for one volume by name. */
async function bindToNamed(
  claim: PersistentVolumeClaim,
  name: string,
  context: ReconcileContext,
): Promise<void> {
  const volume = context.cache.get(persistentVolumes, { name });
  if (volume === undefined) return setClaimPhase(claim, "Pending", context);
  if (volume.spec.claimRef === undefined) {
    const why = misfit(claim, volume);
    if (why === undefined) return bind(volume, claim, context);
    const message = `Cannot bind to requested volume "${name}": ${why}`;
    context.recorder.event(persistentVolumeClaims, claim, "Warning", "VolumeMismatch", message);
  } else if (isMeantFor(volume, claim)) {
    return bind(volume, claim, context);
  } else if (claim.metadata.annotations?.[BOUND_BY_CONTROLLER] === undefined) {
    const message = `volume "${name}" already bound to a different claim.`;
    context.recorder.event(persistentVolumeClaims, claim, "Warning", "FailedBinding", message);
  }
  await setClaimPhase(claim, "Pending", context);
}

/** A claim that has been bound: its volume must still be there and still be its own. */
async function keepVolume(claim: PersistentVolumeClaim, context: ReconcileContext): Promise<void> {
  const name = claim.spec.volumeName ?? "";
  const volume = name === "" ? undefined : context.cache.get(persistentVolumes, { name });
  if (volume !== undefined && (volume.spec.claimRef === undefined || isMeantFor(volume, claim)))
    return bind(volume, claim, context);
  if (claim.status?.phase === "Lost") return;
  const [reason, message] =
    name === ""
      ? ["ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!"]
      : volume === undefined
        ? ["ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!"]
        : ["ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly"];
  await setClaimPhase(claim, "Lost", context);
  context.recorder.event(persistentVolumeClaims, claim, "Warning", reason, message);
}

/** Makes a volume, or asks the provisioner of the class to. */
async function provision(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  context: ReconcileContext,
): Promise<void> {
  const { client, recorder } = context;
  const { provisioner } = storageClass;
  const present = claim.metadata.annotations ?? {};
  let current = claim;
  if (present[STORAGE_PROVISIONER] !== provisioner || present[BETA_STORAGE_PROVISIONER] !== provisioner) {
    const annotations = {
      ...present,
      [STORAGE_PROVISIONER]: provisioner,
      [BETA_STORAGE_PROVISIONER]: provisioner,
    };
    current = await client.update(persistentVolumeClaims, {
      ...claim,
      metadata: { ...claim.metadata, annotations },
    });
  }
  if (provisioner !== SIMULATED_PROVISIONER) {
    const message = `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`;
    recorder.event(persistentVolumeClaims, current, "Normal", "ExternalProvisioning", message);
    return setClaimPhase(current, "Pending", context);
  }
  let volume: PersistentVolume;
  try {
    volume = await client.create(persistentVolumes, provisionedVolume(current, storageClass));
    const message = `Successfully provisioned volume ${volume.metadata.name}`;
    recorder.event(persistentVolumeClaims, current, "Normal", "ProvisioningSucceeded", message);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    volume = await client.live.get(persistentVolumes, provisionedVolume(current, storageClass));
    if (!isMeantFor(volume, current)) throw error;
  }
  try {
    await bind(volume, current, context);
  } catch (error) {
    if (!isConflict(error)) throw error; // The event of the new volume brings us back.
  }
}

function storageClassOf(claim: PersistentVolumeClaim, { cache }: ReconcileContext): StorageClass | undefined {
  const name = claim.spec.storageClassName ?? "";
  return name === "" ? undefined : cache.get(storageClasses, { name });
}

/** Some classes want to know first where the pod will run. */
function waitsForPod(claim: PersistentVolumeClaim, storageClass: StorageClass | undefined): boolean {
  return (
    storageClass?.volumeBindingMode === "WaitForFirstConsumer" &&
    claim.metadata.annotations?.[SELECTED_NODE] === undefined
  );
}
