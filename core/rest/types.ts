import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type {
  CapabilityArguments,
  CapabilityName,
  GeneralCapabilityName,
  OfferedCapability,
  OfferedGeneralCapability,
} from '../auth/capability-check.ts'
import type { Identity, User } from '../auth/types.ts'
import type { RestError } from '../errors.ts'
import type { Undo } from '../hooks/types.ts'
import type { Owner, Staged } from '../owner.ts'
import type { RestResponse } from './response.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The argument of a permission check: the user, the headers and the path, but not the parameters, since permissions are checked before
 * input.
 */
export interface AccessRequest {
  readonly user: User | null
  readonly identity: Identity
  readonly method: Method
  /** Path relative to the REST root, `/wp/v2/posts/7`. */
  readonly route: string
  /** Captured path segments, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Lowercase names. */
  readonly headers: Readonly<IncomingMessage['headers']>
  can<Name extends OfferedCapability>(
    capability: CapabilityName<Name>,
    ...ids: CapabilityArguments<Name>
  ): Promise<boolean>
}

/** A request before its input is read, as the REST filters receive it. */
export interface IncomingRequest extends AccessRequest {
  readonly query: URLSearchParams
  /** The raw body of a route with `body: 'stream'`. `null` in a batch or an internal dispatch. */
  readonly stream: IncomingMessage | null
  readonly clientAddress: string
  readonly requestId: string
  /** Aborted when the client disconnects and, in a handler, when its time limit is exceeded. */
  readonly signal: AbortSignal
}

/** The argument of a handler. */
export interface RestRequest<Input = Record<string, unknown>> extends IncomingRequest {
  /**
   * Path parameters override the body, which overrides the query. Validated and converted by the route's schema; without a schema, the
   * path's captures.
   */
  readonly input: Input
  /** Names of the parameters that the client sent, without those filled in by defaults. */
  readonly sent: ReadonlySet<string>
  /** The uploaded file, for a route with `upload`. Deleted after the handler has finished. */
  readonly upload: Upload | null
}

/** Where an upload route stores the file during the request. */
export interface UploadRule {
  /** Field of a multipart form that holds the file; default `file`. */
  readonly field?: string
  /** Created if it does not exist. Each file gets its own subfolder. */
  readonly folder: string
  /** Larger files are rejected with 413 while they are being received. */
  readonly maxBytes: number | (() => number)
}

/** An uploaded file on disk. Its name and type are supplied by the client and cannot be trusted. */
export interface Upload {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** From the form; empty if the body is the file, in which case the handler reads the headers. */
  readonly name: string
  /** Content type supplied by the client. */
  readonly type: string
  /** Whether it was a form field or the body itself. */
  readonly from: 'form' | 'body'
}

/**
 * Who may call a route: everyone, users with a capability, or those for whom the function returns `true`.
 * `false` becomes 401 or 403 `rest_forbidden`; the function may throw its own RestError.
 * It must have no side effects: it is also called to compute the `Allow` header.
 */
export type Access<Capability extends string = string> =
  | 'public'
  | Capability
  | ((request: AccessRequest) => boolean | Promise<boolean>)

/** A route with a capability: a misspelled one, or one that needs an ID, does not compile. */
export type CheckedRoute<
  Schema extends z.ZodObject,
  Name extends string,
  ResponseSchema extends z.ZodType = z.ZodType,
> = Route<Schema, GeneralCapabilityName<Name>, ResponseSchema>

/**
 * The return type of a handler for the type of its schema: read-only, because the handler may not own the value; with any boolean, because
 * TypeScript widens `true` in a returned object; without the index signatures of loose objects, which interfaces lack.
 */
type Fitting<Value> = unknown extends Value
  ? unknown
  : Value extends boolean
    ? boolean
    : Value extends readonly (infer Item)[]
      ? readonly Fitting<Item>[]
      : Value extends object
        ? { readonly [Key in keyof Value as KnownKey<Value, Key>]: Fitting<Value[Key]> }
        : Value

/** Removes the index signature of a loose object. */
type KnownKey<Value, Key extends keyof Value> = string extends Key ? (unknown extends Value[Key] ? never : Key) : Key

/** A body that is sent unchanged, or none. */
type RawBody = string | Uint8Array | Readable | null

/** What a handler may return for its `response` schema; with `responseTypes` it may also return a raw body. */
type Returned<ResponseSchema extends z.ZodType> =
  | Fitting<z.output<ResponseSchema>>
  | RestResponse<Fitting<z.output<ResponseSchema>> | RawBody>

/** One route as one value: validation, types, OpenAPI and the index are all derived from it. */
export interface Route<
  Schema extends z.ZodObject = z.ZodObject,
  Capability extends string = string,
  ResponseSchema extends z.ZodType = z.ZodType,
> {
  readonly method: Method | readonly Method[]
  /**
   * Path relative to the namespace: `/posts/{id}`. `{name}` captures one segment, `{name:\\d+}` only what the pattern matches.
   * Literal segments take precedence over captures.
   */
  readonly path: string
  readonly access: Access<Capability>
  /** Creates the error if `access` denies the request without throwing, which is faster than throwing. Default: `rest_forbidden`. */
  readonly accessError?: (user: User | null) => RestError
  /**
   * Called when `access` denies the request: may throw a more specific error, as WordPress does. Only called with valid
   * input from a body of at most 64 KiB; if it throws nothing, the error of `access` is sent.
   */
  readonly explainDenial?: (request: RestRequest<z.output<Schema>>) => void | Promise<void>
  /** Query, body and path parameters together. Numbers and booleans in a query string are converted. */
  readonly input?: Schema
  /**
   * Schema of the JSON response on success, which OpenAPI describes and clients generate types from. Fields that
   * `_fields` or `context` can omit are optional; `z.undefined()` is a response without a body. The handler's return type must
   * match it; values that filters can change are declared as a plain `z.ZodType`, which the compiler does not check. Without
   * a schema the response is described as any value.
   */
  readonly response?: ResponseSchema
  /** Media types of a successful response other than JSON, such as `['text/csv']`. With `response`, the route may return either. */
  readonly responseTypes?: readonly string[]
  /** @deprecated Use `response`. */
  readonly answer?: ResponseSchema
  /** @deprecated Use `responseTypes`. */
  readonly answerTypes?: readonly string[]
  /** Exists only with an active license. */
  readonly pro?: boolean
  /** Exists only while this returns `true`, for routes that a setting turns on. Called for each request to its path. */
  readonly when?: () => boolean
  /** One sentence for the index and OpenAPI, in the third person: “Lists redirects.” */
  readonly summary?: string
  /** Maximum body size in bytes; default 1 MiB, 64 KiB for public routes. */
  readonly bodyLimit?: number | ((request: AccessRequest) => number)
  /** `stream`: the handler reads the body itself; parameters then come from path and query only. */
  readonly body?: 'parsed' | 'stream'
  /**
   * Accepts a file: a field of a multipart form, or the body itself. The handler finds it in `request.upload`. JSON and
   * form bodies are still parsed as parameters.
   */
  readonly upload?: UploadRule
  /**
   * Time limit in milliseconds for the handler of an extension that needs longer than the default, the setting
   * `handlerTimeLimit` (60 s); `Infinity` for no limit. When it is exceeded, the signal is aborted and the response is 504.
   * Time spent waiting for hooks, other routes or the request body does not count. A stream has the same time for its first byte.
   */
  readonly timeLimit?: number
  /** Whether `/batch/v1` may contain it. Default: every write route without `stream` or `upload`. */
  readonly batch?: boolean
  /** Returns the JSON response, of the type that `response` declares, or a `RestResponse`. */
  handler(request: RestRequest<z.output<Schema>>): NoInfer<Returned<ResponseSchema> | Promise<Returned<ResponseSchema>>>
}

/**
 * The routes of one owner, staged until `commit` publishes them all at once. A reload stages the routes of the new version while the old
 * ones are live, and commits with `replacing`, so that no request finds them missing. Requests in flight finish with the handler they
 * started with.
 *
 * @example
 * ```ts
 * import type { Owner, Rest, Route, RouteSet } from 'pentad'
 *
 * export function replace(rest: Rest, owner: Owner, running: RouteSet, route: Route): RouteSet {
 *   const next = rest.stage(owner)
 *   next.registerRoute('hello/v1', route) // Not visible yet.
 *   next.commit(running) // Visible; those of `running` are removed.
 *   return next
 * }
 * ```
 */
export interface RouteSet extends Staged {
  /** Visible after `commit`; a later registration is visible at once. @throws Error if the path is taken or the set was disposed of. */
  registerRoute<
    Schema extends z.ZodObject,
    Name extends OfferedGeneralCapability,
    ResponseSchema extends z.ZodType = z.ZodType,
  >(namespace: string, route: CheckedRoute<Schema, Name, ResponseSchema>): Undo
  /**
   * Publishes the routes and disposes of the set `replacing`. @throws Error, without changing anything, if a route conflicts with another
   * owner's.
   */
  commit(replacing?: Staged): void
  /** `GET /hello/v1/greeting` for each route of the set. */
  list(): string[]
  /** Removes all routes, published or not; later registrations are rejected. */
  [Symbol.dispose](): void
}

/** A route as shown to administrators. */
export interface RouteReport {
  readonly namespace: string
  readonly path: string
  readonly methods: readonly Method[]
  readonly owner: string
}

/** An internal request, as used by `_embed`, batches and tests. */
export interface InternalRequest {
  readonly method: Method | 'OPTIONS'
  /** `/wp/v2/posts/7`, with an optional query string. */
  readonly route: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly identity: Identity
  readonly clientAddress?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface InternalResponse {
  readonly status: number
  /** Names in the route's own spelling: `Allow`, `X-WP-Total`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Rest {
  /** Registers a route until undone. @throws Error if the method and path are taken. */
  registerRoute<
    Schema extends z.ZodObject,
    Name extends OfferedGeneralCapability,
    ResponseSchema extends z.ZodType = z.ZodType,
  >(namespace: string, route: CheckedRoute<Schema, Name, ResponseSchema>, owner?: Owner): Undo
  /** Creates a set of routes that become visible all at once. */
  stage(owner: Owner): RouteSet
  /**
   * Makes a route respond at another path of the site too, until undone, for protocols with a fixed URL:
   * `alias('/mcp', '/ai/v1/mcp')`. @throws Error if it is not a plain path, starts with `/wp-`, or is taken
   */
  alias(path: string, route: string): Undo
  /** @deprecated Use `alias`. */
  serveAt(path: string, route: string): Undo
  /** Absolute URL under the REST root: `url('/wp/v2/posts')`. */
  url(route: string): string
  dispatch(request: InternalRequest): Promise<InternalResponse>
  routes(): RouteReport[]
}
