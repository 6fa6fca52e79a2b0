import { createRateLimit, type ExtensionHost, sameOriginOnly, success, successSchema } from 'pentad'
import { z } from 'zod'
import { MODEL_TIME } from '../../model-time.ts'
import type { Providers } from '../../providers/types.ts'
import { requireHelpdesk } from '../errors.ts'
import { ownPage, pageUrlField, visitorText } from '../fields.ts'
import { createHelpdeskLimit } from '../rate-limit.ts'
import type { HelpdeskSettings } from '../settings.ts'
import { helpdeskTexts } from '../texts.ts'
import { answer } from './answer.ts'
import { createFindPassages } from './find-passages.ts'
import { registerOwnerRoutes } from './owner-routes.ts'
import { openConversationTables } from './tables.ts'
import { createConversations } from './turns.ts'

/** Maximum number of questions from one network per day. */
const A_DAY = 100

const replyResponse = successSchema(
  z.object({
    ...{
      reply: z.string(),
      conversationId: z.string(),
      sources: z.array(z.object({ title: z.string(), url: z.string() })),
    },
    handOver: z.boolean().describe('Whether no answer was found and the contact form should be offered.'),
  }),
)

/**
 * `POST /ai/v1/helpdesk-agent/ai-response`: answers a visitor's question from published content, or reports that there
 * is no answer.
 */
export async function registerConversation(
  host: ExtensionHost,
  { settings, providers }: { settings: () => HelpdeskSettings; providers: Providers },
): Promise<void> {
  const { content, database, jobs, rateLimitStore: store, rest, site } = host
  const conversations = createConversations(await openConversationTables(database))
  const findPassages = createFindPassages(host)
  const limit = createHelpdeskLimit(settings, 'Too many questions. Try again in a few minutes.', {
    name: 'helpdesk',
    store,
  })
  const daily = createRateLimit({
    ...{ points: A_DAY, seconds: 86_400, message: 'Too many questions. Try again tomorrow.' },
    shared: { name: 'helpdesk-daily', store },
  })

  rest.registerRoute('ai/v1', {
    method: 'POST',
    path: '/helpdesk-agent/ai-response',
    response: replyResponse,
    ...sameOriginOnly(site.url),
    pro: true,
    timeLimit: MODEL_TIME,
    summary: "Answers a visitor's question from published content.",
    input: z.object({
      message: visitorText(1000).describe("The visitor's question."),
      conversationId: z
        .string()
        .regex(/^[\w-]{22}$/, 'It must be the ID returned with a previous answer.')
        .optional()
        .describe('ID returned with the previous answer, to continue the conversation.'),
      pageUrl: pageUrlField,
    }),
    async handler({ input, clientAddress, signal }) {
      const { helpdeskAgent, helpdeskConversation, helpdeskInstructions } = settings()
      requireHelpdesk(helpdeskAgent)
      requireHelpdesk(helpdeskConversation)
      await limit.consume(clientAddress)
      await daily.consume(clientAddress)
      const turns = input.conversationId === undefined ? [] : await conversations.turns(input.conversationId)
      const conversationId = input.conversationId ?? conversations.newId()

      const question = input.message
      const before = turns.at(-1)?.question ?? ''
      const passages = await findPassages(question, { before, pageUrl: ownPage(input.pageUrl, site.url) })
      const reply = await answer(
        { content, providers },
        { question, turns, passages },
        { instructions: helpdeskInstructions, signal },
      )
      const text = reply?.text ?? (await helpdeskTexts(host)).unknown
      await conversations.add(conversationId, { question, reply: text, answered: reply !== undefined })
      return success({ reply: text, conversationId, sources: reply?.sources ?? [], handOver: reply === undefined })
    },
  })

  registerOwnerRoutes(rest, conversations)
  jobs.schedule('ai-helpdesk-forget', '41 * * * *', () => conversations.prune())
}
