import type { z } from 'zod'
import type { User } from '../../core/auth/types.ts'
import type { ExtensionDefinition } from '../../core/extensions/types.ts'
import type { AsyncActions, AsyncFilters } from '../../core/hooks/names.ts'
import type { CallbackOptions, Undo } from '../../core/hooks/types.ts'
import type { JsonValue } from '../../core/options/types.ts'
import type { RestResponse } from '../../core/rest/response.ts'
import type { Method } from '../../core/rest/types.ts'
import type { AdminPage } from '../admin/types.ts'
import type { PurgeRequest } from '../changes/types.ts'
import type { NewPost, Post, PostQuery } from '../content/types.ts'
import type { MailMessage } from '../mail/types.ts'
import type { Conditionals } from '../site/conditionals.ts'
import type { Texts } from '../site/extension-texts.ts'
import type { SandboxActionName, SandboxFilterName } from './allowed-hooks.ts'
import type { Secrets } from './hmac.ts'
import type { SandboxPermissions } from './permissions.ts'

/** The permissions with hooks that exist in a sandbox: others do not compile. */
export type CheckedPermissions = Omit<SandboxPermissions, 'hooks'> & {
  readonly hooks?: readonly (SandboxActionName | SandboxFilterName | 'purge_pages')[]
}

/** Hooks of the manifest, and those of the extension's own settings. */
type Granted<Permissions extends CheckedPermissions> =
  | NonNullable<Permissions['hooks']>[number]
  | `${string}_settings_update:${'before' | 'after'}`

/** An argument of a hook as the sandbox receives it: JSON, with the methods that print to pages and respond to requests. */
export type SandboxValue<Value> = Value extends string | number | boolean | null | undefined
  ? Value
  : Value extends ReadonlySet<infer Item>
    ? readonly SandboxValue<Item>[]
    : Value extends readonly (infer Item)[]
      ? readonly SandboxValue<Item>[]
      : Value extends object
        ? {
            readonly [Key in keyof Value as Key extends HiddenKey
              ? never
              : Value[Key] extends (...args: never[]) => unknown
                ? Key extends 'print' | 'redirect' | 'respond' | 'addTags'
                  ? Key
                  : never
                : Key]: Value[Key] extends (...args: never[]) => unknown ? Value[Key] : SandboxValue<Value[Key]>
          }
        : Value

/** Members that no sandbox receives. */
type HiddenKey =
  | 'password'
  | 'email'
  | 'login'
  | 'authorEmail'
  | 'authorIp'
  | 'authorAgent'
  | 'registered'
  | 'scriptNonce'
  | 'signal'
  | 'request'
  | 'user'
  | 'caller'

type SandboxArguments<Declared> = Declared extends readonly unknown[]
  ? { readonly [Index in keyof Declared]: SandboxValue<Declared[Index]> }
  : never

type Value<Declared> = Declared extends readonly [infer First, ...unknown[]] ? First : never
type MaybePromise<Result> = Result | Promise<Result>

/** The log of the site; up to 600 lines a minute. */
export interface SandboxLog {
  debug: WriteLog
  info: WriteLog
  warn: WriteLog
  error: WriteLog
}

interface WriteLog {
  (message: string): void
  (fields: object, message: string): void
}

/** A user as a sandbox sees it. */
export type SandboxUser = Pick<User, 'id' | 'slug' | 'displayName' | 'roles'>
/** A post as a sandbox sees it. */
export type SandboxPost = Omit<Post, 'password'>

/** The argument of a route's handler. */
export interface SandboxRequest<Input> {
  readonly input: Input
  readonly sent: ReadonlySet<string>
  readonly params: Readonly<Record<string, string>>
  readonly method: Method
  readonly route: string
  /** `null` without `permissions.users`. */
  readonly user: SandboxUser | null
}

/** A route of a sandbox. */
export interface SandboxRoute<Access extends string, Input extends z.ZodObject> {
  readonly method: Method | readonly Method[]
  /** `{name}` captures a segment. */
  readonly path: string
  readonly access: Access
  readonly summary?: string
  readonly input?: Input
  /** Not checked at run time. */
  readonly response?: z.ZodType
  handler(
    request: SandboxRequest<z.output<Input>>,
  ): MaybePromise<RestResponse | object | string | number | boolean | null>
}

/** What a sandbox purges from caches. */
export type SandboxPurge = Pick<PurgeRequest, 'reason' | 'soft'> & { readonly tags: readonly string[] }

/** The response of a sandbox's `fetch`; redirects are not followed. */
export interface SandboxResponse {
  readonly ok: boolean
  readonly status: number
  readonly url: string
  readonly headers: { get(name: string): string | null; has(name: string): boolean }
  text(): Promise<string>
  json(): Promise<unknown>
}

/** What a sandboxed extension receives. */
export interface SandboxHost<Permissions extends CheckedPermissions> extends Omit<Conditionals, 'getPage'>, Texts {
  readonly id: string
  readonly log: SandboxLog
  readonly secrets: Secrets
  isUserLoggedIn(): boolean
  /** For code that runs without a sandbox too: a sandbox has nothing to clean up, and does not call it. */
  onDispose(cleanUp: () => MaybePromise<void>): void
  readonly hooks: {
    /** Only asynchronous filters that the manifest names. */
    addFilter<Name extends Granted<Permissions> & keyof AsyncFilters>(
      name: Name,
      callback: (
        ...args: SandboxArguments<AsyncFilters[Name]>
      ) => MaybePromise<SandboxValue<Value<AsyncFilters[Name]>>>,
      priority?: number | CallbackOptions,
    ): Undo
    /** Only asynchronous actions that the manifest names. */
    addAction<Name extends Granted<Permissions> & keyof AsyncActions>(
      name: Name,
      callback: (...args: SandboxArguments<AsyncActions[Name]>) => MaybePromise<void>,
      priority?: number | CallbackOptions,
    ): Undo
    /**
     * Purges cached pages after a change to the extension's data: those of posts (`post-7`), and those with the extension's own tags, which
     * begin with its ID. Up to 60 tags a minute. The manifest must list the hook.
     */
    doAction(
      name: Extract<Permissions['hooks'], readonly unknown[]>[number] & 'purge_pages',
      request: SandboxPurge,
    ): void
  }
  readonly rest: {
    /** `registerRoute('hello/v1', …)`: the namespace is the extension's ID and a version. */
    registerRoute<Input extends z.ZodObject = z.ZodObject<Record<never, never>>>(
      namespace: string,
      route: SandboxRoute<NonNullable<Permissions['routes']>[number], Input>,
    ): Undo
  }
  readonly settings: {
    /** Secret values are handles, for `secrets.hmac` and the headers of `fetch`. */
    register<Schema extends z.ZodObject>(
      schema: Schema,
    ): {
      get(): z.output<Schema>
      update(changes: Readonly<Partial<z.input<Schema>>>): Promise<unknown>
    }
  }
  /** Records whose names start with the extension's ID and `_`. */
  readonly options: {
    get(name: string): JsonValue | undefined
    update(name: string, value: JsonValue): Promise<void>
    modify(name: string, change: (current: JsonValue | undefined) => JsonValue): Promise<void>
    delete(name: string): Promise<void>
  }
  readonly content: {
    readonly posts: {
      get(id: number): Promise<SandboxPost | undefined>
      query(query: PostQuery): Promise<{ items: SandboxPost[]; total: number }>
      insert(post: NewPost): Promise<SandboxPost>
      update(id: number, changes: NewPost): Promise<SandboxPost>
      delete(id: number): Promise<SandboxPost | undefined>
    }
    readonly meta: {
      get(kind: 'post', id: number, key: string): Promise<JsonValue | undefined>
      set(kind: 'post', id: number, key: string, ...values: JsonValue[]): Promise<void>
      delete(kind: 'post', id: number, key: string): Promise<void>
    }
    canRead(post: SandboxPost, user: SandboxUser | null): Promise<boolean>
    /** The text that an anonymous visitor reads, without tags. */
    publicText(post: SandboxPost): Promise<string>
  }
  readonly mail: {
    send(message: Pick<MailMessage, 'to' | 'subject' | 'text' | 'html' | 'replyTo'>): Promise<{ messageId: string }>
  }
  readonly jobs: {
    /** At the times of a cron pattern or recurrence: see `Jobs.schedule`. */
    schedule(name: string, when: string, run: () => MaybePromise<void>): Undo
  }
  readonly site: { readonly url: string; readonly environment: 'local' | 'production' }
  readonly admin: {
    /** A page with parts that use the extension's own routes. */
    addPage(page: Extract<AdminPage, { parts: unknown }>): Undo
  }
  /** As without a sandbox: see `ExtensionHost`. */
  registerActivationHook(callback: () => MaybePromise<void>): Undo
  registerDeactivationHook(callback: () => MaybePromise<void>): Undo
  fetch(
    url: string,
    init?: { readonly method?: string; readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
  ): Promise<SandboxResponse>
  getCurrentUser(): SandboxUser | null
  currentUserCan(capability: string, ...ids: readonly number[]): Promise<boolean>
}

/**
 * The default export of an extension that can run in a sandbox. `isolation` is a literal next to `id`, because it is read without running the
 * code.
 */
export interface SandboxDefinition<Permissions extends CheckedPermissions>
  extends Pick<ExtensionDefinition, 'id' | 'name' | 'version' | 'description' | 'pro' | 'requires'> {
  /** `optional`: with or without a sandbox, as an administrator chooses; by default without. */
  readonly isolation: 'sandbox' | 'optional'
  readonly permissions?: Permissions
  /** Runs whenever the sandbox's memory is reset: it registers callbacks and reads settings and options, nothing else. */
  setup(host: SandboxHost<Permissions>): void | Promise<void>
  /** Deletes what it stored. Called without `setup`, when the inactive extension is removed with its data. */
  uninstall?(host: SandboxHost<Permissions>): void | Promise<void>
}

/**
 * Types an extension; returns its argument. With `isolation: 'sandbox'`, the extension runs in a sandbox, and `host` has what its permissions
 * allow.
 *
 * @example
 * ```ts
 * import { defineExtension } from 'pentad'
 *
 * export default defineExtension({
 *   id: 'signature',
 *   name: 'Signature',
 *   version: '1.0.0',
 *   isolation: 'sandbox',
 *   permissions: { hooks: ['the_content'] },
 *   setup({ hooks }) {
 *     hooks.addFilter('the_content', (html) => `${html}<p>— The editors</p>`)
 *   },
 * })
 * ```
 */
export function defineExtension<const Permissions extends CheckedPermissions>(
  definition: SandboxDefinition<Permissions>,
): SandboxDefinition<Permissions>
export function defineExtension(definition: ExtensionDefinition): ExtensionDefinition
export function defineExtension(definition: object): object {
  return definition
}
