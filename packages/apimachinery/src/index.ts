export { type DecodedObject, DecodeError, decodeObject } from "./codec/decode.ts";
export {
  type DecodedProtobuf,
  decodeProtobuf,
  decodeProtobufMessage,
  PROTOBUF_MAGIC,
  type ProtobufTypeMeta,
} from "./codec/protobuf.ts";
export {
  encodeProtobuf,
  encodeProtobufEnvelope,
  encodeProtobufMessage,
  encodeProtobufParts,
} from "./codec/protobuf-encode.ts";
export { type ParsedYaml, parseYaml } from "./codec/yaml.ts";
export {
  duplicate,
  type FieldError,
  type FieldErrorType,
  forbidden as forbiddenField,
  formatFieldError,
  internalFieldError,
  invalid,
  notFoundValue,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from "./errors/field-error.ts";
export {
  alreadyExists,
  badRequest,
  conflict,
  forbidden,
  formatFieldErrors,
  internalError,
  invalidObject,
  isAlreadyExists,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isStatusError,
  methodNotSupported,
  notFound,
  OBJECT_MODIFIED,
  resourceExpired,
  type Status,
  type StatusCause,
  type StatusDetails,
  StatusError,
  type StatusReason,
  statusError,
  tooManyRequests,
  unauthorized,
} from "./errors/status-error.ts";
export {
  formatApiVersion,
  formatGroupResource,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  parseApiVersion,
} from "./meta/group-version.ts";
export { ageOf, humanDuration } from "./meta/human-duration.ts";
export type {
  Condition,
  FieldsV1,
  KubeList,
  KubeObject,
  ListMeta,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
  UnstructuredObject,
} from "./meta/object-meta.ts";
export {
  formatSeconds,
  msToMicroTime,
  msToTime,
  normalizeMicroTime,
  normalizeTime,
  TimeParseError,
  timeToMs,
} from "./meta/time.ts";
export { applyJsonPatch } from "./patch/json-patch.ts";
export { applyMergePatch } from "./patch/merge-patch.ts";
export { patchedText } from "./patch/patched-text.ts";
export { restoreFailure } from "./patch/restore-failure.ts";
export { applyStrategicMergePatch } from "./patch/strategic-merge-patch.ts";
export {
  parseQuantity,
  type Quantity,
  QuantityError,
  type QuantityFormat,
} from "./quantity/parse-quantity.ts";
export {
  addQuantities,
  canonicalizeQuantity,
  compareQuantities,
  formatQuantity,
  isQuantity,
  quantityOf,
  quantityOfMillis,
  quantitySign,
  quantityToInteger,
  quantityToMillis,
  quantityToNumber,
  roundUpQuantity,
  subtractQuantities,
} from "./quantity/quantity.ts";
export type { Cell, Column, ColumnContext } from "./resource/column.ts";
export {
  ALL_VERBS,
  type NameFormat,
  type RequestUser,
  type ResourceDefinition,
  type ResourceVerb,
  type RowCondition,
  type ScaleMapping,
  type ServedVersion,
  type StatusStrategy,
  type Strategy,
  type StrategyContext,
} from "./resource/resource-definition.ts";
export { type ResourceType, resourceType } from "./resource/resource-type.ts";
export { goForm, goFormText, sortMaps } from "./schema/go-form.ts";
export type { Field, ListSchema, MapSchema, ObjectSchema, ScalarSchema, Schema } from "./schema/schema.ts";
export {
  type FieldMatcher,
  type FieldRequirement,
  formatFieldSelector,
  matchEveryField,
  matchFields,
  parseFieldSelector,
  requiredFieldValue,
} from "./selectors/field-selector.ts";
export {
  formatLabelSelector,
  type LabelMatcher,
  type LabelOperator,
  type LabelRequirement,
  labelMatcher,
  labelMatcherFromMap,
  labelRequirement,
  matchEveryLabel,
  matchLabels,
  matchNoLabel,
} from "./selectors/label-matcher.ts";
export {
  type LabelSelector,
  type LabelSelectorRequirement,
  labelSelectorFromObject,
} from "./selectors/label-selector.ts";
export { parseLabelSelector } from "./selectors/label-selector-parser.ts";
export {
  type Cidr,
  cidrContains,
  formatCidr,
  formatIp,
  type IpAddress,
  parseCidr,
  parseIp,
  validateCidr,
  validateIp,
  validateLegacyCidr,
  validateLegacyIp,
} from "./validation/ip.ts";
export { validateLabelSelector } from "./validation/label-selector.ts";
export {
  cIdentifier,
  configMapKey,
  dnsLabel,
  dnsLabel1035,
  dnsSubdomain,
  envVarName,
  httpHeaderName,
  inclusiveRange,
  labelValue,
  maskTrailingDash,
  maxCharacters,
  type NameRule,
  pathSegment,
  percent,
  portName,
  portNumber,
  qualifiedName,
  regexMessage,
  userOrGroupId,
  wildcardDnsSubdomain,
} from "./validation/names.ts";
export {
  applyRule,
  FIELD_IMMUTABLE,
  NOT_NEGATIVE,
  nameRule,
  type ObjectMetaRules,
  validateAnnotations,
  validateFieldManager,
  validateFinalizers,
  validateImmutable,
  validateLabelKey,
  validateLabels,
  validateManagedFields,
  validateNonNegative,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateOwnerReferences,
  validateStandardFinalizer,
} from "./validation/object-meta.ts";
export { unifiedDiff } from "./validation/unified-diff.ts";
