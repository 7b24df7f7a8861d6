export { Activity } from "./activity.ts";
export { assertNever, BugError, mustExist } from "./assert.ts";
export { Backoff, type BackoffOptions } from "./backoff.ts";
export { type Clock, createRealClock, nextTurn, sleep, type Timer, VirtualClock } from "./clock.ts";
export { type Stoppable, StopStack } from "./disposable.ts";
export { Heap } from "./heap.ts";
export {
  cloneJson,
  deepFreeze,
  JsonFloat,
  JsonSyntaxError,
  type JsonValue,
  jsonEquals,
  type ParsedJson,
  parseJson,
  setOwn,
  stringifyJson,
} from "./json.ts";
export { createLogger, type Logger, type LogLevel, type LogSink, silentLogger } from "./logger.ts";
export { createSeededRandom, createSystemRandom, type Random, randomSuffix } from "./random.ts";
