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
import type { Undo } from '../hooks/types.ts'
import type { Owner, Staged } from '../owner.ts'
import type { RestResponse } from './response.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a permission check may look at: who asks, by account or by a header, and the path; never the parameters (contract 1, order of refusals). */
export interface AccessRequest {
  readonly user: User | null
  readonly identity: Identity
  readonly method: Method
  /** Path below the namespace root, `/wp/v2/posts/7`. */
  readonly route: string
  /** Captured path segments, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Lower-case names. */
  readonly headers: Readonly<IncomingMessage['headers']>
  can<Name extends OfferedCapability>(
    capability: CapabilityName<Name>,
    ...ids: CapabilityArguments<Name>
  ): Promise<boolean>
}

/** A request as it came in, before its input was looked at: what the REST filters get. */
export interface IncomingRequest extends AccessRequest {
  readonly query: URLSearchParams
  /** The bytes, for a route with `body: 'stream'`. `null` in a batch or an internal dispatch. */
  readonly stream: IncomingMessage | null
  readonly clientAddress: string
  readonly requestId: string
  /** Fires when the client leaves, and in a handler when its time is over. */
  readonly signal: AbortSignal
}

/** What a handler gets. */
export interface RestRequest<Input = Record<string, unknown>> extends IncomingRequest {
  /** Path over body over query, validated and converted by the route's schema. Without a schema: the path's captures. */
  readonly input: Input
  /** Which of the input's keys the client sent (defaults left out). */
  readonly sent: ReadonlySet<string>
  /** The file that came with the request, for a route with `upload`; it goes when the handler has ended. */
  readonly upload: Upload | null
}

/** Where a route for uploads keeps a file while the request lasts. */
export interface UploadRule {
  /** Field of a multipart form that holds the file; default `file`. */
  readonly field?: string
  /** Made if need be. Each file lies in a folder of its own in it. */
  readonly folder: string
  /** A larger file is refused with 413 before it was read whole. */
  readonly maxBytes: number | (() => number)
}

/** A file on disk that a client sent. Nothing that the client says about it can be trusted. */
export interface Upload {
  readonly path: string
  /** Bytes. */
  readonly size: number
  /** As the form names it; empty for a body that is the file, whose headers the handler reads. */
  readonly name: string
  /** What the client says it is. */
  readonly type: string
  /** Whether it was a field of a form or the whole body. */
  readonly from: 'form' | 'body'
}

/**
 * Who may call a route: everybody, whoever has a capability, or whom the function lets in.
 * `false` is answered 401 or 403 `rest_forbidden`; the function may throw a RestError of its own.
 * It must change nothing: it is also asked for the `Allow` header of the path's other methods.
 */
export type Access<Capability extends string = string> =
  | 'public'
  | Capability
  | ((request: AccessRequest) => boolean | Promise<boolean>)

/** A route whose capability is checked: a wrong name, or one that needs an id, does not compile. */
export type CheckedRoute<Schema extends z.ZodObject, Name extends string, Answer extends z.ZodType = z.ZodType> = Route<
  Schema,
  GeneralCapabilityName<Name>,
  Answer
>

/**
 * What a handler may return for a value of the schema: read-only, as it may not own what it returns; any boolean, because
 * TypeScript widens a `true` in an object that a function returns; and an interface, which has no index signature, for a
 * loose object.
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

/** Leaves out the index signature of a loose object. */
type KnownKey<Value, Key extends keyof Value> = string extends Key ? (unknown extends Value[Key] ? never : Key) : Key

/** A body that is sent as it is, or none. */
type RawBody = string | Uint8Array | Readable | null

/** What a handler may return by the schema of its answer; a route with `answerTypes` may answer a raw body instead. */
type Returned<Answer extends z.ZodType> = Fitting<z.output<Answer>> | RestResponse<Fitting<z.output<Answer>> | RawBody>

/** One route as one value: validation, types, OpenAPI and the index all come from `input`. */
export interface Route<
  Schema extends z.ZodObject = z.ZodObject,
  Capability extends string = string,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: Method | readonly Method[]
  /**
   * Below the namespace: `/posts/{id}`. `{name}` captures one segment, `{name:\\d+}` only what the pattern matches.
   * Literal segments win over captures.
   */
  readonly path: string
  readonly access: Access<Capability>
  /**
   * For a caller whom `access` does not let in: may throw the error that says best what was asked for, as WordPress does.
   * Called with valid input only, of at most 64 KiB; without an error of its own the answer is that of `access`.
   */
  readonly explainDenial?: (request: RestRequest<z.output<Schema>>) => void | Promise<void>
  /** Query, body and path parameters together. Numbers and flags in a query arrive converted. */
  readonly input?: Schema
  /**
   * What a success answers as JSON; documents the route in OpenAPI, where clients take their types from. Fields that
   * `_fields` or `context` may leave out are optional; `z.undefined()` is a success without a body. The handler must return
   * what fits it; what filters may change is declared as a plain `z.ZodType`, which the compiler does not check. Without it
   * the answer is described as anything.
   */
  readonly answer?: Answer
  /** Media types of a success that is not JSON, as `['text/csv']`. With `answer` it is one or the other. */
  readonly answerTypes?: readonly string[]
  /** Exists only with an active licence. */
  readonly pro?: boolean
  /** Exists only while this answers `true`, as what a setting switches on. Asked for each request of its path. */
  readonly when?: () => boolean
  /** One line for the index and OpenAPI. */
  readonly summary?: string
  /** Bytes of body accepted; default 1 MiB, 64 KiB on public routes. */
  readonly bodyLimit?: number | ((request: AccessRequest) => number)
  /** `stream`: the handler reads the body itself; parameters then come by path and query. */
  readonly body?: 'parsed' | 'stream'
  /**
   * The route takes a file: a field of a multipart form, or a body that is the file. The handler finds it in
   * `request.upload`. JSON and form bodies are parameters as ever.
   */
  readonly upload?: UploadRule
  /**
   * Milliseconds that the handler of an extension may take, for one that honestly takes long; `Infinity` for no limit.
   * Default: the setting `handlerTimeLimit`, 60 s. Then its signal fires and the answer is 504. The time in which it waits
   * for hooks, for other routes and for its body does not count, nor does sending a stream that it answered.
   */
  readonly timeLimit?: number
  /** May be a part of `/batch/v1`. Default: every writing route that takes neither stream nor upload. */
  readonly batch?: boolean
  /** What it returns is the JSON answer, or a `RestResponse`; by `answer`, where that is declared. */
  handler(request: RestRequest<z.output<Schema>>): NoInfer<Returned<Answer> | Promise<Returned<Answer>>>
}

/**
 * The routes of one owner, staged until `commit` shows them all at once. A reload stages the new
 * version's routes beside the live ones of the old and commits with `replacing`: there is no moment
 * without the routes. Requests under way finish with the handler they began with.
 *
 * @example
 * ```ts
 * import type { Owner, Rest, Route, RouteSet } from 'pentad'
 *
 * export function replace(rest: Rest, owner: Owner, running: RouteSet, route: Route): RouteSet {
 *   const next = rest.stage(owner)
 *   next.registerRoute('hello/v1', route) // Not visible yet.
 *   next.commit(running) // Visible; those of `running` are gone.
 *   return next
 * }
 * ```
 */
export interface RouteSet extends Staged {
  /** Before `commit` not visible yet, after it at once. @throws Error if the path is taken or the set disposed of. */
  registerRoute<
    Schema extends z.ZodObject,
    Name extends OfferedGeneralCapability,
    Answer extends z.ZodType = z.ZodType,
  >(namespace: string, route: CheckedRoute<Schema, Name, Answer>): Undo
  /** Shows the routes and disposes of the set `replacing`. @throws Error, and changes nothing, if another's route is in the way. */
  commit(replacing?: Staged): void
  /** `GET /hello/v1/greeting` for each route of the set. */
  list(): string[]
  /** Withdraws all routes, visible or not; a registration that comes later is refused. */
  [Symbol.dispose](): void
}

/** A route as the administrator sees it. */
export interface RouteReport {
  readonly namespace: string
  readonly path: string
  readonly methods: readonly Method[]
  readonly owner: string
}

/** A request from inside: what `_embed`, batches and tests use. */
export interface InternalRequest {
  readonly method: Method | 'OPTIONS'
  /** `/wp/v2/posts/7`, may carry a query. */
  readonly route: string
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly identity: Identity
  readonly clientAddress?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface InternalAnswer {
  readonly status: number
  /** With the names as the route wrote them: `Allow`, `X-WP-Total`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

export interface Rest {
  /** Adds a route until undone. @throws Error if that method and path are taken. */
  registerRoute<
    Schema extends z.ZodObject,
    Name extends OfferedGeneralCapability,
    Answer extends z.ZodType = z.ZodType,
  >(namespace: string, route: CheckedRoute<Schema, Name, Answer>, owner?: Owner): Undo
  /** A set of routes that becomes visible all at once. */
  stage(owner: Owner): RouteSet
  /**
   * Answers a route at a path of the site too, until undone, for protocols that fix the address:
   * `alias('/mcp', '/ai/v1/mcp')`. @throws Error if it is no plain path, begins with `/wp-` or is taken
   */
  alias(path: string, route: string): Undo
  /** @deprecated Use `alias`. */
  serveAt(path: string, route: string): Undo
  /** Absolute URL below the REST root: `url('/wp/v2/posts')`. */
  url(route: string): string
  dispatch(request: InternalRequest): Promise<InternalAnswer>
  routes(): RouteReport[]
}
