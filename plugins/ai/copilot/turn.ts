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

/** Maximum number of settled changes whose outcome is sent to the model. */
const REMEMBERED_CHANGES = 20

/** Maximum number of steps listed if the model returned no answer. */
const MAX_LISTED_STEPS = 10

/** Message for unexpected errors; details are in the log. */
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
 * Creates the function that answers a message: the model reads with the permissions of the user, proposes changes, and
 * replies. Results are saved together, or not at all if the turn fails or the client disconnects.
 * @throws RestError 409 `ai_request_in_progress` immediately; other errors reject `answered`
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
    const saved = await saveTurn(db, turn)
    return {
      ...{ requestId, conversationId: saved.conversationId, reply, truncated, steps },
      changes: saved.changes.map(toChange),
      usage: { ...usage, totalTokens: usage.inputTokens + usage.outputTokens },
    }
  }

  /** Writes the turn to the audit log, whatever its outcome. */
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
    const signal = AbortSignal.any([asked.signal, progress.canceling.signal])
    return { answered: run({ ...asked, signal }, progress) }
  }
}

/** The prompt for a message: the words of the user, followed by fenced context. */
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
 * The reply for the user. A turn without text, or stopped at its step limit, has not failed: its steps and proposals
 * are listed, and the user can continue.
 * @throws RestError 502 if the model returned nothing at all
 */
function replyOf({ text, steps: taken, atLimit }: ToolAnswer, { proposals, steps }: Toolbox): string {
  const isSilent = text.trim() === ''
  const listed = (things: readonly { summary: string }[]) => [...new Set(things.map(({ summary }) => `- ${summary}`))]
  const prepared = listed(proposals)
  const stepList = (prepared.length > 0 ? prepared : listed(steps).slice(0, MAX_LISTED_STEPS)).join('\n')
  const said = isSilent ? stepList : text
  if (atLimit) return `${said}\n\nI reached the limit of ${taken} steps. Ask me to continue, or split the task.`
  if (!isSilent || proposals.length > 0) return said
  if (steps.length === 0)
    throw new RestError('ai_provider_error', 'The model did not return an answer.', { status: 502 })
  return `I stopped without an answer. Ask me to continue, or split the task. Steps so far:\n\n${stepList}`
}
