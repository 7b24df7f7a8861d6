import { normalizeClusterIps, patchAllocatedValues, type Service } from "@binnacle/api";
import {
  type FieldError,
  internalError,
  invalid,
  invalidObject,
  type UnstructuredObject,
} from "@binnacle/apimachinery";
import { type HookContext, keyOf, objectOf, type ResourceHooks, type Undo } from "@binnacle/apiserver";
import { NumberAllocator } from "./allocator.ts";
import { type Cidr, cidrSize, formatIPv4, parseIPv4 } from "./cidr.ts";

/** Source: kube-apiserver --service-node-port-range. */
const NODE_PORTS = { first: 30_000, size: 2_768 };

type ServiceSpec = NonNullable<Service["spec"]>;

/**
 * Reserves cluster addresses and node ports for services. What is reserved is kept in memory and follows from the
 * stored services; a write that fails gives back what it took.
 *
 * Source: kubernetes v1.36 pkg/registry/core/service/storage/{alloc,storage}.go.
 */
export class ServiceNetwork {
  readonly #cidr: Cidr;
  readonly #addresses: NumberAllocator;
  readonly #ports: NumberAllocator;

  constructor(cidr: Cidr, random: () => number) {
    this.#cidr = cidr;
    // The first address is the network's own, the last the broadcast address.
    this.#addresses = new NumberAllocator({ first: cidr.base + 1, size: cidrSize(cidr) - 2 }, random);
    this.#ports = new NumberAllocator(NODE_PORTS, random);
  }

  /** The address of the service `kubernetes`: the first of the range. */
  get firstAddress(): string {
    return formatIPv4(this.#cidr.base + 1);
  }

  /** Takes over what a stored service holds. */
  restore(service: Service): void {
    for (const address of addressesOf(service.spec)) this.#addresses.take(address);
    for (const port of portsOf(service.spec)) this.#ports.take(port);
  }

  /** The hooks of the services resource. */
  get hooks(): ResourceHooks {
    return {
      beginCreate: (context, object) => this.#allocate(context, object, undefined),
      beginUpdate: (context, object, old) => this.#allocate(context, object, old),
      afterDelete: (_core, object) => this.#release((object as unknown as Service).spec, undefined),
    };
  }

  #allocate(
    context: HookContext,
    object: UnstructuredObject,
    oldObject: UnstructuredObject | undefined,
  ): Undo {
    const service = object as unknown as Service; // Stored under services.
    const old = oldObject as unknown as Service | undefined;
    service.spec ??= {};
    const { spec } = service;
    const taken = new Taken(this.#addresses, this.#ports);
    try {
      if (old !== undefined) {
        patchAllocatedValues(service, old);
        keepFamilies(spec, old.spec ?? {});
      }
      normalizeClusterIps(service, old);
      if (spec.type === "ExternalName") clearAddresses(spec, old?.spec);
      else {
        setFamilies(service);
        this.#allocateAddress(service, old, taken);
      }
      this.#allocatePorts(service, old, taken);
    } catch (error) {
      taken.undo();
      throw error;
    }
    if (context.isDryRun) {
      taken.undo();
      return undefined;
    }
    if (old !== undefined) {
      // What the update gives up is free only once it is stored; freeing it early could hand it out twice.
      this.#releaseLater(context, old, service);
    }
    return () => taken.undo();
  }

  #allocateAddress(service: Service, old: Service | undefined, taken: Taken): void {
    const { spec } = service;
    if (spec === undefined || spec.clusterIP === "None") {
      if (spec !== undefined) spec.clusterIPs ??= ["None"];
      return;
    }
    const wanted = spec.clusterIP ?? "";
    if (wanted === "") {
      const address = taken.anyAddress();
      if (address === undefined) {
        throw internalError("failed to allocate a serviceIP: range is full");
      }
      spec.clusterIP = formatIPv4(address);
      spec.clusterIPs = [spec.clusterIP];
      return;
    }
    spec.clusterIPs ??= [wanted];
    if (old?.spec?.clusterIP === wanted) return;
    const address = parseIPv4(wanted);
    if (address === undefined) return; // Validation says what is wrong with it.
    const refuse = (why: string): Error =>
      invalidService(
        service,
        invalid("spec.clusterIPs", spec.clusterIPs, `failed to allocate IP ${wanted}: ${why}`),
      );
    if (!this.#addresses.contains(address))
      throw refuse("the provided network does not match the current range");
    if (!taken.address(address)) throw refuse("provided IP is already allocated");
  }

  #allocatePorts(service: Service, old: Service | undefined, taken: Taken): void {
    const { spec } = service;
    if (spec === undefined) return;
    const held = new Set(portsOf(old?.spec));
    if (needsNodePorts(spec)) {
      // Ports of the same number with different protocols share a node port. Source: alloc.go, initNodePorts.
      const byPort = new Map<number, { nodePort: number; protocols: Set<string> }>();
      for (const [index, port] of (spec.ports ?? []).entries()) {
        const protocol = port.protocol ?? "TCP";
        const wanted = port.nodePort ?? 0;
        if (wanted !== 0) {
          if (!held.has(wanted) && !taken.port(wanted)) {
            const isOwn = [...byPort.values()].some(
              (each) => each.nodePort === wanted && !each.protocols.has(protocol),
            );
            if (!isOwn) throw portRefused(service, index, wanted, this.#ports);
          }
        } else {
          const shared = byPort.get(port.port);
          if (shared !== undefined && !shared.protocols.has(protocol)) port.nodePort = shared.nodePort;
          else port.nodePort = mustAllocate(taken.anyPort());
        }
        const entry = byPort.get(port.port) ?? {
          nodePort: port.nodePort ?? wanted,
          protocols: new Set<string>(),
        };
        entry.protocols.add(protocol);
        byPort.set(port.port, entry);
      }
    }
    const isLocal = spec.type === "LoadBalancer" && spec.externalTrafficPolicy === "Local";
    if (isLocal && (spec.healthCheckNodePort ?? 0) === 0)
      spec.healthCheckNodePort = mustAllocate(taken.anyPort());
    else if (isLocal && spec.healthCheckNodePort !== undefined && !held.has(spec.healthCheckNodePort)) {
      if (!taken.port(spec.healthCheckNodePort)) {
        const why = "provided port is already allocated";
        throw invalidService(service, invalid("spec.healthCheckNodePort", spec.healthCheckNodePort, why));
      }
    }
  }

  /** Frees what an update gave up, once the stored service shows that it was given up. */
  #releaseLater(context: HookContext, old: Service, updated: Service): void {
    const { namespace = "", name = "" } = old.metadata;
    const key = keyOf(context.served, namespace, name);
    context.core.watchHub.whenRevision(context.core.storage.revision + 1, () => {
      const entry = context.core.storage.get(key);
      const stored = entry === undefined ? undefined : objectOf<Service>(entry);
      if (stored?.metadata.uid === updated.metadata.uid) this.#release(old.spec, stored?.spec);
    });
  }

  #release(spec: ServiceSpec | undefined, kept: ServiceSpec | undefined): void {
    const keptAddresses = new Set(addressesOf(kept));
    for (const address of addressesOf(spec))
      if (!keptAddresses.has(address)) this.#addresses.release(address);
    const keptPorts = new Set(portsOf(kept));
    for (const port of portsOf(spec)) if (!keptPorts.has(port)) this.#ports.release(port);
  }
}

/** What one write has taken so far. */
class Taken {
  readonly #addresses: NumberAllocator;
  readonly #ports: NumberAllocator;
  readonly #takenAddresses: number[] = [];
  readonly #takenPorts: number[] = [];

  constructor(addresses: NumberAllocator, ports: NumberAllocator) {
    this.#addresses = addresses;
    this.#ports = ports;
  }

  address(address: number): boolean {
    if (!this.#addresses.take(address)) return false;
    this.#takenAddresses.push(address);
    return true;
  }

  anyAddress(): number | undefined {
    const address = this.#addresses.takeAny();
    if (address !== undefined) this.#takenAddresses.push(address);
    return address;
  }

  port(port: number): boolean {
    if (!this.#ports.contains(port) || !this.#ports.take(port)) return false;
    this.#takenPorts.push(port);
    return true;
  }

  anyPort(): number | undefined {
    const port = this.#ports.takeAny();
    if (port !== undefined) this.#takenPorts.push(port);
    return port;
  }

  undo(): void {
    for (const address of this.#takenAddresses) this.#addresses.release(address);
    for (const port of this.#takenPorts) this.#ports.release(port);
  }
}

/** An update that leaves the address families out keeps them. */
function keepFamilies(spec: ServiceSpec, old: ServiceSpec): void {
  if (spec.type === "ExternalName" || old.type === "ExternalName") return;
  spec.ipFamilies ??= [...(old.ipFamilies ?? [])];
  if (spec.ipFamilyPolicy === undefined && old.ipFamilyPolicy !== undefined)
    spec.ipFamilyPolicy = old.ipFamilyPolicy;
}

function clearAddresses(spec: ServiceSpec, old: ServiceSpec | undefined): void {
  if (old !== undefined && spec.clusterIP === old.clusterIP) {
    delete spec.clusterIP;
    delete spec.clusterIPs;
  }
  delete spec.ipFamilies;
  delete spec.ipFamilyPolicy;
}

/** Source: alloc.go, initIPFamilyFields, for a cluster with IPv4 alone. */
function setFamilies(service: Service): void {
  const { spec } = service;
  if (spec === undefined) return;
  const hasSelector = Object.keys(spec.selector ?? {}).length > 0;
  if (spec.clusterIP === "None" && !hasSelector) {
    spec.ipFamilyPolicy ??= "RequireDualStack";
    if ((spec.ipFamilies ?? []).length === 0) {
      spec.ipFamilies = spec.ipFamilyPolicy === "SingleStack" ? ["IPv4"] : ["IPv4", "IPv6"];
    }
    return;
  }
  for (const [index, family] of (spec.ipFamilies ?? []).entries()) {
    if (family === "IPv6") {
      throw invalidService(
        service,
        invalid(`spec.ipFamilies[${index}]`, family, "not configured on this cluster"),
      );
    }
  }
  if (spec.ipFamilyPolicy === "RequireDualStack") {
    const why = "this cluster is not configured for dual-stack services";
    throw invalidService(service, invalid("spec.ipFamilyPolicy", spec.ipFamilyPolicy, why));
  }
  spec.ipFamilyPolicy ??= "SingleStack";
  if ((spec.ipFamilies ?? []).length === 0) spec.ipFamilies = ["IPv4"];
}

function needsNodePorts(spec: ServiceSpec): boolean {
  if (spec.type === "NodePort") return true;
  return spec.type === "LoadBalancer" && spec.allocateLoadBalancerNodePorts !== false;
}

function addressesOf(spec: ServiceSpec | undefined): number[] {
  const texts = spec?.clusterIPs ?? (spec?.clusterIP === undefined ? [] : [spec.clusterIP]);
  return texts.map(parseIPv4).filter((address) => address !== undefined);
}

function portsOf(spec: ServiceSpec | undefined): number[] {
  const ports = (spec?.ports ?? []).map((port) => port.nodePort ?? 0);
  return [...ports, spec?.healthCheckNodePort ?? 0].filter((port) => port !== 0);
}

function mustAllocate(port: number | undefined): number {
  if (port === undefined) throw internalError("failed to allocate a nodePort: range is full");
  return port;
}

function portRefused(service: Service, index: number, port: number, ports: NumberAllocator): Error {
  const why = ports.contains(port)
    ? "provided port is already allocated"
    : `provided port is not in the valid range. The range of valid ports is ${NODE_PORTS.first}-${NODE_PORTS.first + NODE_PORTS.size - 1}`;
  return invalidService(service, invalid(`spec.ports[${index}].nodePort`, port, why));
}

function invalidService(service: Service, error: FieldError): Error {
  return invalidObject({ group: "", kind: "Service" }, service.metadata.name ?? "", [error]);
}
