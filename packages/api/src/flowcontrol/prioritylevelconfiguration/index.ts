import {
  type FieldError,
  forbiddenField,
  invalid,
  notSupported,
  type ResourceDefinition,
  required,
} from "@binnacle/apimachinery";
import { ageColumn, columnsFor, nameColumn, text } from "../../column-builders.ts";
import type {
  LimitedPriorityLevelConfiguration,
  PriorityLevelConfiguration,
  QueuingConfiguration,
} from "../../generated/flowcontrol-v1.generated.ts";
import { builtinSchema } from "../../schema-registry.ts";

/** How many requests of a level run at once, and what happens to the others. */
export const priorityLevelConfigurations: ResourceDefinition<PriorityLevelConfiguration> = {
  group: "flowcontrol.apiserver.k8s.io",
  version: "v1",
  kind: "PriorityLevelConfiguration",
  resource: "prioritylevelconfigurations",
  singular: "prioritylevelconfiguration",
  listKind: "PriorityLevelConfigurationList",
  namespaced: false,
  schema: builtinSchema("flowcontrol.v1.PriorityLevelConfiguration"),
  defaults: setPriorityLevelDefaults,
  strategy: {
    hasGeneration: true,
    prepareForCreate: (level) => {
      level.status = {};
    },
    prepareForUpdate: (updated, old) => {
      updated.status = old.status ?? {};
    },
    validate: validatePriorityLevel,
  },
  status: {},
  columns: columnsFor<PriorityLevelConfiguration>("prioritylevelconfigurations", [
    nameColumn,
    text("Type", ({ spec }) => spec?.type ?? ""),
    text("NominalConcurrencyShares", ({ spec }) => {
      return spec?.limited?.nominalConcurrencyShares ?? spec?.exempt?.nominalConcurrencyShares ?? "<none>";
    }),
    text("Queues", (level) => queuingOf(level)?.queues ?? "<none>"),
    text("HandSize", (level) => queuingOf(level)?.handSize ?? "<none>"),
    text("QueueLengthLimit", (level) => queuingOf(level)?.queueLengthLimit ?? "<none>"),
    ageColumn,
  ]),
};

function queuingOf({ spec }: PriorityLevelConfiguration): QueuingConfiguration | undefined {
  return spec?.limited?.limitResponse?.queuing;
}

/** Source: kubernetes v1.36 pkg/apis/flowcontrol/v1/defaults.go. */
function setPriorityLevelDefaults({ spec }: PriorityLevelConfiguration): void {
  if (spec?.type === "Exempt") {
    spec.exempt ??= {};
    spec.exempt.nominalConcurrencyShares ??= 0;
    spec.exempt.lendablePercent ??= 0;
  }
  const limited = spec?.limited;
  if (limited === undefined) return;
  limited.nominalConcurrencyShares ??= 30;
  limited.lendablePercent ??= 0;
  const queuing = limited.limitResponse?.queuing;
  if (queuing === undefined) return;
  queuing.handSize ||= 8;
  queuing.queues ||= 64;
  queuing.queueLengthLimit ||= 50;
}

const MAX_QUEUES = 10_000_000;

/** Source: kubernetes v1.36 pkg/apis/flowcontrol/validation/validation.go, ValidatePriorityLevelConfigurationSpec. */
function validatePriorityLevel({ spec }: PriorityLevelConfiguration): FieldError[] {
  const type = spec?.type ?? "";
  switch (type) {
    case "Exempt":
      if (spec?.limited !== undefined) {
        return [forbiddenField("spec.limited", "must be nil if the type is not Limited")];
      }
      return validatePercent(spec?.exempt?.lendablePercent, "spec.exempt.lendablePercent");
    case "Limited":
      if (spec?.exempt !== undefined)
        return [forbiddenField("spec.exempt", "must be nil if the type is Limited")];
      if (spec?.limited === undefined)
        return [required("spec.limited", "must not be empty when type is Limited")];
      return validateLimited(spec.limited, "spec.limited");
    default:
      return [notSupported("spec.type", type, ["Exempt", "Limited"])];
  }
}

function validateLimited(limited: LimitedPriorityLevelConfiguration, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const shares = limited.nominalConcurrencyShares ?? 0;
  if (shares < 0)
    errors.push(invalid(`${path}.nominalConcurrencyShares`, shares, "must be a non-negative integer"));
  const { type = "", queuing } = limited.limitResponse ?? {};
  const at = `${path}.limitResponse`;
  if (type === "Reject") {
    if (queuing !== undefined) {
      errors.push(
        forbiddenField(`${at}.queuing`, "must be nil if limited.limitResponse.type is not Limited"),
      );
    }
  } else if (type === "Queue") {
    if (queuing === undefined) {
      errors.push(required(`${at}.queuing`, "must not be empty if limited.limitResponse.type is Limited"));
    } else errors.push(...validateQueuing(queuing, `${at}.queuing`));
  } else errors.push(notSupported(`${at}.type`, type, ["Queue", "Reject"]));
  errors.push(...validatePercent(limited.lendablePercent, `${path}.lendablePercent`));
  const borrowing = limited.borrowingLimitPercent;
  if (borrowing !== undefined && borrowing < 0) {
    errors.push(
      invalid(`${path}.borrowingLimitPercent`, borrowing, "if specified, must be a non-negative integer"),
    );
  }
  return errors;
}

function validatePercent(value: number | undefined, path: string): FieldError[] {
  if (value === undefined || (value >= 0 && value <= 100)) return [];
  return [invalid(path, value, "must be between 0 and 100, inclusive")];
}

function validateQueuing(
  { queues = 0, handSize = 0, queueLengthLimit = 0 }: QueuingConfiguration,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (queueLengthLimit <= 0)
    errors.push(invalid(`${path}.queueLengthLimit`, queueLengthLimit, "must be positive"));
  if (queues <= 0) errors.push(invalid(`${path}.queues`, queues, "must be positive"));
  else if (queues > MAX_QUEUES)
    errors.push(invalid(`${path}.queues`, queues, `must not be greater than ${MAX_QUEUES}`));
  if (handSize <= 0) errors.push(invalid(`${path}.handSize`, handSize, "must be positive"));
  else if (handSize > queues) {
    errors.push(invalid(`${path}.handSize`, handSize, `should not be greater than queues (${queues})`));
  } else if (entropyBits(queues, handSize) > 60) {
    const why = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than 60`;
    errors.push(invalid(`${path}.handSize`, handSize, why));
  }
  return errors;
}

/** Random bits that dealing a hand takes. Source: kubernetes v1.36 apiserver/pkg/util/shufflesharding, RequiredEntropyBits. */
function entropyBits(queues: number, handSize: number): number {
  return Math.ceil(Math.log2(queues) * handSize);
}
