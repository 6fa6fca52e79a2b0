import { type ExtensionHost, RestError } from 'pentad'
import { createFence, type Fence } from '../fence.ts'
import { readMentions } from '../mentions.ts'
import type { Providers, ToolAnswer } from '../providers/types.ts'
import type { AiSettings } from '../settings.ts'
import type { AuditLog } from './audit-log.ts'
import { type Changes, toChange } from './changes.ts'
import type { Conversations } from './conversations.ts'
import { instructions } from './instructions.ts'
import type { Progress, Turns } from './progress.ts'
import { saveTurn } from './save-turn.ts'
import type { CopilotDatabase } from './tables.ts'
import { createToolbox, type Toolbox } from './tools.ts'
import type { Answered, Asked } from './types.ts'

/** Changes of the conversation of which the model is told what became of them. */
const REMEMBERED_CHANGES = 20

/** Different steps that are named where the model came to no answer. */
const MOST_TOLD_STEPS = 10

/** What is told of an error that is a fault of ours; the log has the rest. */
const UNEXPECTED = { code: 'internal_error', message: 'Internal server error.' }

export interface TurnParts {
  readonly host: ExtensionHost
  readonly settings: () => AiSettings
  readonly providers: Pick<Providers, 'tools'>
  readonly db: CopilotDatabase
  readonly conversations: Conversations
  readonly changes: Changes
  readonly turns: Turns
  readonly audit: AuditLog
  readonly safeReply: (markdown: string) => Promise<string>
}

/**
 * Makes the function that answers a message: the model looks things up with the user's own permissions, prepares
 * changes, and replies. What comes of it is kept as a whole, or not at all if the turn fails or the client leaves.
 *
 * @throws RestError 409 `ai_request_in_progress`, at once; all else later, from `answered`
 */
export function createTurn(parts: TurnParts): (asked: Asked) => { readonly answered: Promise<Answered> } {
  const { host, settings, providers, db, turns, audit } = parts

  async function answer(asked: Asked, toolbox: Toolbox, progress: Progress, fence: Fence): Promise<Answered> {
    const { user, requestId, conversationId, message, signal } = asked
    const history = conversationId === undefined ? [] : await parts.conversations.history(conversationId, user.id)
    const content = await withContext(parts, asked, fence)
    const said = await providers.tools({
      operation: 'copilot',
      userId: user.id,
      signal,
      instructions: instructions(host, { user, fence, settings: settings() }),
      messages: [...history, { role: 'user', content }],
      tools: toolbox.tools,
      maxSteps: progress.maxSteps,
      onStep: (step) => Object.assign(progress, { step, tool: null, partial: '' }),
      onText: (partial) => Object.assign(progress, { partial }),
    })
    const { truncated, usage } = said
    const reply = await parts.safeReply(replyOf(said, toolbox))
    const { proposals, steps } = toolbox
    const turn = { userId: user.id, conversationId, message, reply, proposals, steps }
    const kept = await saveTurn(db, turn)
    return {
      ...{ requestId, conversationId: kept.conversationId, reply, truncated, steps },
      changes: kept.changes.map(toChange),
      usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
    }
  }

  /** Notes who let the copilot do what, however it ended. */
  async function note({ user, message }: Asked, toolbox: Toolbox, result: { answered?: Answered; outcome: string }) {
    const conversationId = result.answered?.conversationId ?? null
    const who = { userId: user.id, conversationId }
    const turn = { ...who, event: 'turn', ability: '', summary: message, outcome: result.outcome } as const
    const proposed = (result.answered?.changes ?? []).map(({ id, kind, summary }) => {
      return { ...who, event: 'propose', changeId: id, ability: kind, summary, outcome: 'ok' } as const
    })
    const calls = toolbox.events.map((event) => ({ ...who, ...event }))
    await audit.add([turn, ...calls, ...proposed])
  }

  async function run(asked: Asked, progress: Progress): Promise<Answered> {
    const fence = createFence()
    const using = (tool: string) => Object.assign(progress, { tool })
    let toolbox: Toolbox | undefined
    let answered: Answered
    try {
      toolbox = await createToolbox(host.abilities, { caller: asked.user, fence, using })
      answered = await answer(asked, toolbox, progress, fence)
    } catch (error) {
      const state = asked.signal.aborted ? 'cancelled' : 'failed'
      const { code, message } = error instanceof RestError ? error : UNEXPECTED
      turns.fail(progress, state, { code, message })
      if (toolbox) await note(asked, toolbox, { outcome: state === 'cancelled' ? state : code })
      throw error
    }
    turns.complete(progress, answered)
    await note(asked, toolbox, { answered, outcome: 'ok' })
    return answered
  }

  return (asked) => {
    const { user, requestId, conversationId, message } = asked
    const maxSteps = settings().copilotMaxSteps
    const progress = turns.begin({ requestId, userId: user.id, conversationId, maxSteps, message })
    const signal = AbortSignal.any([asked.signal, progress.cancelling.signal])
    return { answered: run({ ...asked, signal }, progress) }
  }
}

/** What the model is sent for a message: the user's words, then what belongs to them, fenced off. */
async function withContext({ host, changes }: TurnParts, asked: Asked, fence: Fence): Promise<string> {
  const { user, message, mentioned, screen, conversationId } = asked
  const posts = await readMentions(host, mentioned, { user, fence })
  const given = [message, ...(screen ? [`I am viewing:\n${fence.wrap('screen', screen)}`] : []), ...posts]
  if (conversationId === undefined) return given.join('\n\n')
  const { rows } = await changes.list({ userId: user.id, conversationId, limit: REMEMBERED_CHANGES, offset: 0 })
  if (rows.length === 0) return given.join('\n\n')
  const outcomes = rows.map(({ summary, status }) => `${status}: ${summary}`).reverse()
  return [...given, `Status of your proposed changes:\n${fence.wrap('changes', outcomes.join('\n'))}`].join('\n\n')
}

/**
 * What the user reads: the model's words. One that has none, or was stopped at its limit, has not failed: what it prepared
 * or looked at is told, and the user can say what to do next.
 *
 * @throws RestError 502 if it said and did nothing at all
 */
function replyOf({ text, steps: taken, atLimit }: ToolAnswer, { proposals, steps }: Toolbox): string {
  const isSilent = text.trim() === ''
  const listed = (things: readonly { summary: string }[]) => [...new Set(things.map(({ summary }) => `- ${summary}`))]
  const prepared = listed(proposals)
  const told = (prepared.length > 0 ? prepared : listed(steps).slice(0, MOST_TOLD_STEPS)).join('\n')
  const said = isSilent ? told : text
  if (atLimit) return `${said}\n\nI reached the limit of ${taken} steps. Ask me to continue, or split the task.`
  if (!isSilent || proposals.length > 0) return said
  if (steps.length === 0)
    throw new RestError('ai_provider_error', 'The model did not return an answer.', { status: 502 })
  return `I stopped without an answer. Ask me to continue, or split the task. Steps so far:\n\n${told}`
}
