import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Auth, User } from '../../core/auth/types.ts'
import { RestError, withOrigin } from '../../core/errors.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import { CALL_LIMITS, type CallLimits, CallTimeout, withinTime } from '../../core/http/time-limit.ts'
import { unexpectedError } from '../../core/http/unexpected-error.ts'
import type { Owner } from '../../core/owner.ts'
import { timedOut, unloaded } from '../../core/rest/errors.ts'
import { inputSchema, type JsonSchema, outputSchema } from '../../core/schema/json-schema.ts'
import { CATEGORIES } from './categories.ts'
import './hooks.ts'
import { abilityNotFound, cannotExecute } from './errors.ts'
import { readInput } from './input.ts'
import type { Abilities, Ability, AbilityPreview, NewAbility } from './types.ts'

export type * from './types.ts'

/** The abilities as used by the host, which assigns an owner to each. */
export interface AbilitiesRegistry extends Abilities {
  /** @param added An error created at registration, whose stack locates errors that occur while no code of the owner is running. */
  register<Input extends z.ZodObject, Output extends z.ZodObject>(
    ability: NewAbility<Input, Output>,
    owner?: Owner,
    added?: Error,
  ): ReturnType<Abilities['register']>
}

interface Registered {
  readonly ability: NewAbility
  readonly owner: Owner
  readonly seen: Ability
  readonly added: Error
}

const SLUG = '[a-z0-9]+(?:-[a-z0-9]+)*'
/** WordPress's `WP_Abilities_Registry::register`. Models take names of 64 characters as the name of a tool. */
const NAME = new RegExp(`^(?=.{3,60}$)${SLUG}/${SLUG}$`)
const CATEGORY = new RegExp(`^${SLUG}$`)

/**
 * @param parts.core Receives the errors of core's own abilities.
 * @param parts.limits Time limits for code of extensions; default 5 s for checks, 60 s for execution.
 */
export function createAbilities(parts: {
  auth: Pick<Auth, 'can'>
  /** Whether abilities exist that need a license; default: they do not. */
  isLicensed?: () => boolean
  hooks: Pick<Hooks, 'doActionAsync'>
  core: Owner
  limits?: () => CallLimits
}): AbilitiesRegistry {
  const { auth, isLicensed = () => false, hooks, core, limits = () => CALL_LIMITS } = parts
  const all = new Map<string, Registered>()
  const categories = new Map(CATEGORIES.map((category) => [category.slug, category]))

  /** The ability of that name, if it exists now. */
  function find(name: string): Registered | undefined {
    const found = all.get(name)
    return found?.ability.pro && !isLicensed() ? undefined : found
  }

  const names = () => [...all.keys()].filter(find).sort()

  const may = async ({ permission }: NewAbility, caller: User | null) =>
    permission === 'public' || (await auth.can(caller, permission))

  /** The ability with its checked input, if that caller may do this. */
  async function admit(name: string, raw: unknown, caller: User | null) {
    const found = find(name)
    if (!found) throw abilityNotFound()
    const { ability } = found
    if (!(await may(ability, caller))) throw cannotExecute(caller)
    const input = await guarded(found, 'check', () => readInput(ability, raw))
    if (ability.permits) {
      const permitted = await guarded(found, 'check', async () => ability.permits?.(input, caller))
      if (permitted !== true) throw cannotExecute(caller)
    }
    return { found, ability, input }
  }

  /** Runs code of the owner within its time limit. Errors are reported to the owner; callers receive only an ID to find them in the log. */
  async function guarded<Result>(
    { ability, owner, added }: Registered,
    kind: keyof CallLimits,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const what = `ability ${ability.name}`
    const limit = (kind === 'handler' ? ability.timeLimit : undefined) ?? limits()[kind]
    try {
      if (owner === core) return await work()
      return await withinTime({ what: `The ${what}`, limit, added, unloaded: owner.signal }, work)
    } catch (error) {
      if (error instanceof RestError) throw error
      if (owner.signal?.aborted && error === owner.signal.reason) throw unloaded()
      const requestId = randomUUID()
      owner.onError(withOrigin(error, added), what, requestId)
      throw error instanceof CallTimeout ? timedOut(requestId) : unexpectedError(error, requestId)
    }
  }

  return {
    register(ability, owner = core, added = new Error('Registered here.')) {
      if (!NAME.test(ability.name))
        throw new Error(
          `"${ability.name}" is not a valid ability name. Use the form "my-extension/do-something", with only a-z, 0-9, and -.`,
        )
      if (all.has(ability.name)) throw new Error(`An ability named ${ability.name} already exists.`)
      if (!categories.has(ability.category))
        throw new Error(`Ability ${ability.name} has an unregistered category: ${ability.category}.`)
      const registered = { ability, owner, seen: describe(ability), added }
      all.set(ability.name, registered)
      return () => {
        if (all.get(ability.name) === registered) all.delete(ability.name)
      }
    },
    registerCategory(category) {
      const { slug } = category
      if (!CATEGORY.test(slug))
        throw new Error(`"${slug}" is not a valid slug for an ability category. Use only a-z, 0-9, and -.`)
      if (categories.has(slug)) throw new Error(`An ability category with the slug ${slug} already exists.`)
      categories.set(slug, category)
      return () => {
        if (categories.get(slug) === category) categories.delete(slug)
      }
    },
    names,
    async list(caller) {
      const existing = names().flatMap((name) => find(name) ?? [])
      const permitted = await Promise.all(
        existing.map(async ({ ability, seen }) => ((await may(ability, caller)) ? [seen] : [])),
      )
      return permitted.flat()
    },
    get: (name) => find(name)?.seen,
    categories: () => [...categories.values()].sort((a, b) => a.slug.localeCompare(b.slug, 'en')),
    async run(name, raw, caller) {
      const { found, ability, input } = await admit(name, raw, caller)
      await hooks.doActionAsync('wp_before_execute_ability', name, input, caller)
      const result = await guarded(found, 'handler', async () =>
        readOutput(ability, await ability.execute(input, caller)),
      )
      try {
        await hooks.doActionAsync('wp_after_execute_ability', name, input, result, caller)
      } catch (error) {
        // The action is completed, so the error must not reject it.
        core.onError(error, 'wp_after_execute_ability')
      }
      return result
    },
    async preview(name, raw, caller) {
      const { found, ability, input } = await admit(name, raw, caller)
      const { preview } = ability
      if (!preview) throw new RestError('ability_no_preview', 'This ability has no preview.', { status: 409 })
      return guarded<AbilityPreview>(found, 'handler', async () => preview.call(ability, input, caller))
    },
  }
}

/** Removes `$schema`: MCP clients and models know other versions of JSON Schema, in which the schema means the same. */
function undated({ $schema: _, ...schema }: JsonSchema): JsonSchema {
  return schema
}

/** @throws TypeError that names each member that is wrong */
function readOutput({ output }: NewAbility, given: unknown): Record<string, unknown> {
  const { data, error } = output.safeParse(given)
  if (error === undefined) return data
  const problems = error.issues.map(({ path, message }) => [z.core.toDotPath(path), message].filter(Boolean).join(': '))
  throw new TypeError(`The output does not match the schema: ${problems.join('; ')}`, { cause: error })
}

/** Schemas are created on first use, because most processes never need them. */
function describe(ability: NewAbility): Ability {
  const { name, label, description, category, readonly, destructive = false, idempotent = readonly } = ability
  let schemas: Pick<Ability, 'inputSchema' | 'outputSchema'> | undefined
  const made = () => {
    schemas ??= {
      inputSchema: undated(inputSchema(ability.input ?? z.object({}))),
      outputSchema: undated(outputSchema(ability.output)),
    }
    return schemas
  }
  return {
    ...{ name, label, description, category, readonly, destructive, idempotent },
    previews: ability.preview !== undefined,
    get inputSchema() {
      return made().inputSchema
    },
    get outputSchema() {
      return made().outputSchema
    },
  }
}
