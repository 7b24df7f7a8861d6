/** Severity, most severe first. */
export type LogLevel = "error" | "warn" | "info" | "debug";

/** Structured logging as an argument: a sentence, and what it is about. */
export interface Logger {
  error(message: string, details?: Record<string, unknown>): void;
  warn(message: string, details?: Record<string, unknown>): void;
  info(message: string, details?: Record<string, unknown>): void;
  debug(message: string, details?: Record<string, unknown>): void;
  /** A logger that adds these details to each line. */
  with(details: Record<string, unknown>): Logger;
}

/** Where finished lines go. */
export type LogSink = (level: LogLevel, message: string, details: Record<string, unknown>) => void;

const SEVERITY: Record<LogLevel, number> = { error: 0, warn: 1, info: 2, debug: 3 };

/** A logger that passes lines at least as severe as `level` (default info) to a sink. */
export function createLogger(sink: LogSink, options: { level?: LogLevel } = {}): Logger {
  const limit = SEVERITY[options.level ?? "info"];
  const make = (shared: Record<string, unknown>): Logger => {
    const at =
      (level: LogLevel) =>
      (message: string, details: Record<string, unknown> = {}): void => {
        if (SEVERITY[level] <= limit) sink(level, message, { ...shared, ...details });
      };
    return {
      error: at("error"),
      warn: at("warn"),
      info: at("info"),
      debug: at("debug"),
      with: (details) => make({ ...shared, ...details }),
    };
  };
  return make({});
}

/** Drops every line. */
export const silentLogger: Logger = createLogger(() => {});
