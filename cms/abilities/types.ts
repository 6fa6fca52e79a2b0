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
  /** The fields that would change as they are now; `null` for something new. Compared again before it is done. */
  readonly before: Readonly<Record<string, JsonValue>> | null
  /** The same fields as they would be; `null` for something that would go. */
  readonly after: Readonly<Record<string, JsonValue>> | null
}

/**
 * Something that the site can do for a model, a browser agent or an MCP client: WordPress's abilities
 * (`wp_register_ability`, 6.9), with one schema for validation, types and description.
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
  /** Takes something away that can't be brought back. Default `false`. */
  readonly destructive?: boolean
  /** Done twice it is as done once. Default: what changes nothing. */
  readonly idempotent?: boolean
  /**
   * Milliseconds that `execute` and `preview` of an extension may take; `Infinity` for no limit. Default: the setting
   * `handlerTimeLimit`, 60 s.
   */
  readonly timeLimit?: number
  /** @throws RestError to reject the call; any other error is a bug, which is hidden from the caller */
  execute(input: z.output<Input>, caller: User | null): z.input<Output> | Promise<z.input<Output>>
  /**
   * For what writes: what it would change, without changing it. A model is offered no writing ability without it,
   * because people agree to a change by what they see of it. @throws RestError as `execute`
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

/** Everything that the site can do for a caller that is a program. */
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
  /** Core's own are `site`, `user` and `content`. @throws Error if the slug can't be one or is taken */
  registerCategory(category: NewAbilityCategory): Undo
  /** Those the caller may use, by name; `null` is a visitor. */
  list(caller: User | null): Promise<Ability[]>
  /** Sorted names of all that exist now. */
  names(): string[]
  /** For any caller; permissions are checked on execution. */
  get(name: string): Ability | undefined
  /** Sorted by slug. */
  categories(): NewAbilityCategory[]
  /**
   * Executes an ability: checks the capability, validates the input, calls `permits`, executes it, validates the output.
   * @throws RestError 404 `rest_ability_not_found`, 401 or 403 `rest_ability_cannot_execute`, 400 `ability_invalid_input`, 500
   *   `internal_error` for a bug of the ability, and errors of the ability itself; never anything else
   */
  run(name: string, input: unknown, caller: User | null): Promise<Record<string, unknown>>
  /** Describes what `run` would change, with the same checks. @throws RestError as `run`, and 409 `ability_no_preview` */
  preview(name: string, input: unknown, caller: User | null): Promise<AbilityPreview>
}
