export type {
  ClientRequest,
  ClientResponse,
  Transport,
  WatchEvent,
  WatchHandler,
  WatchSubscription,
} from "./transport/transport.ts";
