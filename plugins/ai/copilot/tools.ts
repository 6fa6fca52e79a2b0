import { isDeepStrictEqual } from 'node:util'
import { type Abilities, type Ability, type AbilityPreview, RestError, type User } from 'pentad'
import { cutText } from '../cut-text.ts'
import type { Fence } from '../fence.ts'
import type { ModelTool } from '../providers/types.ts'
import type { AuditEntry } from './audit-log.ts'

/** Maximum number of proposed changes per turn: as many as a user can review. */
const MOST_PROPOSALS = 50

/** Maximum length of one result, and of all results of a turn: each further step sends them to the provider again. */
const LONGEST_RESULT = 40_000
const MOST_CHARACTERS = 240_000

/** A tool call on the way to the reply. */
export interface Step {
  /** Name of the ability. */
  readonly tool: string
  /** Input as the model sent it. */
  readonly input: unknown
  readonly summary: string
}

/** A proposed change that is not saved yet. */
export interface Proposal extends AbilityPreview {
  readonly ability: string
  readonly input: unknown
}

/** Tools for a model in one turn, and their use so far. */
export interface Toolbox {
  readonly tools: readonly ModelTool[]
  readonly steps: readonly Step[]
  readonly proposals: readonly Proposal[]
  /** Reads and errors, for the audit log. */
  readonly events: readonly Pick<AuditEntry, 'event' | 'ability' | 'summary' | 'outcome'>[]
}

/** Result of a tool call. */
interface Done {
  /** For the model. */
  readonly forModel: string
  /** For the user. */
  readonly summary: string
}

/**
 * Creates tools from the abilities that a user can use. Abilities that read run immediately. Abilities that write never
 * run: a call only previews the change, which becomes a proposal. Abilities without a preview are not offered.
 * @param options.using called with the name of an ability before it is used
 */
export async function createToolbox(
  abilities: Pick<Abilities, 'list' | 'run' | 'preview'>,
  options: { readonly caller: User; readonly fence: Fence; readonly using: (ability: string) => void },
): Promise<Toolbox> {
  const { caller, fence, using } = options
  const steps: Step[] = []
  const proposals: Proposal[] = []
  const events: Toolbox['events'][number][] = []
  let charactersLeft = MOST_CHARACTERS

  async function read({ name, label }: Ability, input: unknown): Promise<Done> {
    return { forModel: JSON.stringify(await abilities.run(name, input, caller)), summary: label }
  }

  async function propose({ name, label }: Ability, input: unknown): Promise<Done> {
    const isSame = (known: Proposal) => known.ability === name && isDeepStrictEqual(known.input, input)
    if (proposals.some(isSame)) return { forModel: 'This change is already proposed.', summary: label }
    const preview = await abilities.preview(name, input, caller)
    const { summary, before, after } = preview
    if (isDeepStrictEqual(before, after))
      return { forModel: 'Nothing to change: the content already matches.', summary: label }
    if (proposals.length >= MOST_PROPOSALS) {
      const message = 'The limit of proposed changes for one message has been reached.'
      throw new RestError('ai_too_many_changes', message, { status: 409 })
    }
    proposals.push({ ...preview, ability: name, input })
    return { forModel: `Proposed, not applied: the user decides whether to apply or discard it. ${summary}`, summary }
  }

  /** Runs the ability, records the step, and returns the result to the model in a fence. */
  async function use(ability: Ability, input: unknown): Promise<string> {
    const { name, label, readonly } = ability
    using(name)
    let outcome = 'ok'
    let done: Done
    try {
      done = await (readonly ? read : propose)(ability, input)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      outcome = error.code
      done = { forModel: `Error (${error.code}): ${error.message}`, summary: `${label}: ${error.message}` }
    }
    steps.push({ tool: name, input, summary: done.summary })
    if (readonly || outcome !== 'ok')
      events.push({ event: readonly ? 'read' : 'propose', ability: name, summary: done.summary, outcome })
    const shown = cutText(done.forModel, Math.min(LONGEST_RESULT, charactersLeft))
    charactersLeft = Math.max(0, charactersLeft - shown.length)
    return fence.wrap(name, shown)
  }

  const offered = (await abilities.list(caller)).filter(({ readonly, previews }) => readonly || previews)
  const tools = offered.map((ability): ModelTool => {
    const { name, description, readonly, inputSchema } = ability
    return {
      name,
      description: readonly
        ? description
        : `${description} Only proposes the change: the user decides whether to apply it.`,
      inputSchema,
      execute: (input) => use(ability, input),
    }
  })
  return { tools, steps, proposals, events }
}
