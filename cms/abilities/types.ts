import type { z } from 'zod'
import type { GeneralCapabilityName, OfferedGeneralCapability } from '../../core/auth/capability-check.ts'
import type { User } from '../../core/auth/types.ts'
import type { Undo } from '../../core/hooks/types.ts'
import type { JsonValue } from '../../core/options/types.ts'
import type { JsonSchema } from '../../core/schema/json-schema.ts'

/** The effect of a writing ability, described before it is executed. */
export interface AbilityPreview {
  /** The object that would change: `{ type: 'post', id: 7, title: 'Hello world!' }`. `id` is `null` if it does not exist yet. */
  readonly target: { readonly type: string; readonly id: number | string | null; readonly title: string }
  /** One sentence for users who must confirm it: `Change the excerpt of “Hello world!”.` */
  readonly summary: string
  /** The fields that would change, with their current values; `null` for a new object. Compared again before the change is made. */
  readonly before: Readonly<Record<string, JsonValue>> | null
  /** The same fields after the change; `null` for an object that would be deleted. */
  readonly after: Readonly<Record<string, JsonValue>> | null
}

/**
 * An operation of the site that a model, a browser agent or an MCP client can run, like the abilities of WordPress 6.9
 * (`wp_register_ability`), with one schema for validation, types and description.
 */
export interface NewAbility<
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
  Capability extends string = string,
> {
  /** `<namespace>/<name>` of a-z, 0-9 and hyphens, 60 characters at most. */
  readonly name: string
  readonly label: string
  /** For agents that choose among abilities: purpose and result. */
  readonly description: string
  /** Slug of a registered category. */
  readonly category: string
  /** Default: no input. */
  readonly input?: Input
  /** Fields that are not declared here are removed from the output. */
  readonly output: Output
  /** Capability required to execute the ability, or `public`. Also required to see it in lists. */
  readonly permission: 'public' | Capability
  /** Whether the caller may execute it with this input; default: everyone with the capability. */
  permits?(input: z.output<Input>, caller: User | null): boolean | Promise<boolean>
  /** Exists only with an active license. */
  readonly pro?: boolean
  /** Changes nothing. */
  readonly readonly: boolean
  /** Deletes something that cannot be restored. Default `false`. */
  readonly destructive?: boolean
  /** Whether repeating it has no further effect. Default: `readonly`. */
  readonly idempotent?: boolean
  /**
   * Milliseconds that `execute` and `preview` of an extension may take; `Infinity` for no limit. Default: the setting
   * `handlerTimeLimit`, 60 s.
   */
  readonly timeLimit?: number
  /** @throws RestError to reject the call; any other error is a bug, which is hidden from the caller */
  execute(input: z.output<Input>, caller: User | null): z.input<Output> | Promise<z.input<Output>>
  /**
   * For abilities that write: describes the change without making it. Models are offered only writing abilities that have one,
   * because users approve a change by its description. @throws RestError as for `execute`
   */
  preview?(input: z.output<Input>, caller: User | null): AbilityPreview | Promise<AbilityPreview>
}

/** An ability as its callers see it. */
export interface Ability {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly category: string
  readonly readonly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  /** Whether it supports previews. */
  readonly previews: boolean
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema
}

export interface NewAbilityCategory {
  /** a-z, 0-9 and hyphens. */
  readonly slug: string
  readonly label: string
  readonly description: string
}

/** The abilities of the site. */
export interface Abilities {
  /**
   * Adds an ability until undone. @throws Error if the name is invalid or taken, or its category is not registered
   *
   * @example
   * ```ts
   * import { defineExtension } from 'pentad'
   * import { z } from 'zod'
   *
   * export default defineExtension({
   *   id: 'word-count',
   *   name: 'Word count',
   *   version: '1.0.0',
   *   setup({ abilities, content }) {
   *     abilities.register({
   *       name: 'word-count/count-posts',
   *       label: 'Count posts',
   * description: 'Returns the number of published posts.',
   *       category: 'content',
   *       output: z.object({ posts: z.int() }),
   *       permission: 'edit_posts',
   *       readonly: true,
   *       execute: async () => ({ posts: (await content.posts.query({ types: ['post'] })).total }),
   *     })
   *   },
   * })
   * ```
   */
  register<Input extends z.ZodObject, Output extends z.ZodObject, Name extends OfferedGeneralCapability>(
    ability: NewAbility<Input, Output, GeneralCapabilityName<Name>>,
  ): Undo
  /** Core's own are `site`, `user` and `content`. @throws Error if the slug is invalid or taken */
  registerCategory(category: NewAbilityCategory): Undo
  /** The abilities that the caller may run, by name; `null` is a visitor. */
  list(caller: User | null): Promise<Ability[]>
  /** Sorted names of all registered abilities. */
  names(): string[]
  /** For any caller; permissions are checked on execution. */
  get(name: string): Ability | undefined
  /** Sorted by slug. */
  categories(): NewAbilityCategory[]
  /**
   * Executes an ability: checks the capability, validates the input, calls `permits`, executes it, validates the output.
   * @throws RestError 404 `rest_ability_not_found`, 401 or 403 `rest_ability_cannot_execute`, 400 `ability_invalid_input`, 500
   *   `internal_error` for a bug in the ability, and errors of the ability itself; never anything else
   */
  run(name: string, input: unknown, caller: User | null): Promise<Record<string, unknown>>
  /** Describes what `run` would change, with the same checks. @throws RestError as for `run`, and 409 `ability_no_preview` */
  preview(name: string, input: unknown, caller: User | null): Promise<AbilityPreview>
}
