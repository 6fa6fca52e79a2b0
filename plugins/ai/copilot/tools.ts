import { isDeepStrictEqual } from 'node:util'
import { type Abilities, type Ability, type AbilityPreview, RestError, type User } from 'pentad'
import { cutText } from '../cut-text.ts'
import type { Fence } from '../fence.ts'
import type { ModelTool } from '../providers/types.ts'
import type { AuditEntry } from './audit-log.ts'

/** Changes that a model may prepare in one turn: as many as somebody can look at. */
const MOST_PROPOSALS = 50

/** Characters of one result, and of all of a turn together: each further step sends them to the provider again. */
const LONGEST_RESULT = 40_000
const MOST_CHARACTERS = 240_000

/** What the copilot did on the way to its reply. */
export interface Step {
  /** Name of the ability. */
  readonly tool: string
  /** As the model sent it. */
  readonly input: unknown
  readonly summary: string
}

/** A change as it was prepared, not kept yet. */
export interface Proposal extends AbilityPreview {
  readonly ability: string
  readonly input: unknown
}

/** What a model gets to work with in one turn, and what it did with it so far. */
export interface Toolbox {
  readonly tools: readonly ModelTool[]
  readonly steps: readonly Step[]
  readonly proposals: readonly Proposal[]
  /** What was read, and what was refused, for the audit log. */
  readonly events: readonly Pick<AuditEntry, 'event' | 'ability' | 'summary' | 'outcome'>[]
}

/** What came of a call. */
interface Done {
  /** To the model. */
  readonly told: string
  /** To the user. */
  readonly summary: string
}

/**
 * Makes tools of the abilities that a user may use. Those that read are done at once. Those that write are never done:
 * a call only asks the ability what it would change, and that becomes a proposal. What can't tell is not offered.
 *
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
    return { told: JSON.stringify(await abilities.run(name, input, caller)), summary: label }
  }

  async function propose({ name, label }: Ability, input: unknown): Promise<Done> {
    const isSame = (known: Proposal) => known.ability === name && isDeepStrictEqual(known.input, input)
    if (proposals.some(isSame)) return { told: 'This change is already proposed.', summary: label }
    const preview = await abilities.preview(name, input, caller)
    const { summary, before, after } = preview
    if (isDeepStrictEqual(before, after))
      return { told: 'Nothing to change: the content already matches.', summary: label }
    if (proposals.length >= MOST_PROPOSALS) {
      const message = 'The limit of proposed changes for one message is reached.'
      throw new RestError('ai_too_many_changes', message, { status: 409 })
    }
    proposals.push({ ...preview, ability: name, input })
    return { told: `Proposed, not applied: the user decides whether to apply or discard it. ${summary}`, summary }
  }

  /** Does it, keeps account of it, and tells the model in a fence whatever came of it. */
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
      done = { told: `Error (${error.code}): ${error.message}`, summary: `${label}: ${error.message}` }
    }
    steps.push({ tool: name, input, summary: done.summary })
    if (readonly || outcome !== 'ok')
      events.push({ event: readonly ? 'read' : 'propose', ability: name, summary: done.summary, outcome })
    const shown = cutText(done.told, Math.min(LONGEST_RESULT, charactersLeft))
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
